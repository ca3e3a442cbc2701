//! Finds cycles in a small directed graph.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Nodes and, for each, where its arrows lead and what makes each arrow.
pub type Graph<Reason> = BTreeMap<String, BTreeMap<String, Reason>>;

/// Nodes that all reach each other.
#[derive(Debug, PartialEq, Eq)]
pub struct Knot {
    pub members: BTreeSet<String>,
    /// The shortest cycle among the members, its first node not repeated at the end.
    pub shortest: Vec<String>,
}

/// Returns the strongly connected components of two or more nodes.
pub fn knots<Reason>(graph: &Graph<Reason>) -> Vec<Knot> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|node| (node.as_str(), reachable(graph, node)))
        .collect();
    let mut seen = BTreeSet::new();
    let mut knots = Vec::new();
    for node in graph.keys() {
        let members: BTreeSet<String> = reached[node.as_str()]
            .iter()
            .filter(|other| {
                reached
                    .get(*other)
                    .is_some_and(|back| back.contains(node.as_str()))
            })
            .map(|other| (*other).to_owned())
            .collect();
        if 1 < members.len() && seen.insert(members.clone()) {
            let cycles = members.iter().filter_map(|start| shortest_cycle(graph, start));
            let shortest = cycles.min_by_key(Vec::len).unwrap_or_default();
            knots.push(Knot { members, shortest });
        }
    }
    knots
}

/// Returns the nodes that one or more arrows lead to from `start`.
fn reachable<'graph, Reason>(graph: &'graph Graph<Reason>, start: &str) -> BTreeSet<&'graph str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = vec![start];
    while let Some(node) = open.pop() {
        for next in graph.get(node).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    reached
}

fn shortest_cycle<Reason>(graph: &Graph<Reason>, start: &str) -> Option<Vec<String>> {
    let mut open = VecDeque::from([vec![start.to_owned()]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop_front() {
        for next in graph.get(path.last()?).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                return Some(path);
            }
            if seen.insert(next.clone()) {
                open.push_back(path.iter().chain([next]).cloned().collect());
            }
        }
    }
    None
}
