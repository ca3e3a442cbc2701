//! Finds paths in the tokens of macros and attributes, which have no syntax tree.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// A path as it is written, segment by segment.
pub type Path = Vec<String>;

/// A path and the line it is on.
#[derive(Debug)]
pub struct Mention {
    pub path: Path,
    pub line: usize,
}

/// Finds the paths of two or more segments in the arguments or the body of a macro.
pub fn in_macro(tokens: &TokenStream) -> Vec<Mention> {
    let mut finder = Finder {
        found: Vec::new(),
        reads_strings: false,
    };
    finder.read(tokens, None);
    finder.found
}

/// Like [`in_macro`], and reads string literals too, as in `#[serde(with = "crate::hex")]`.
pub fn in_attribute(tokens: &TokenStream) -> Vec<Mention> {
    let mut finder = Finder {
        found: Vec::new(),
        reads_strings: true,
    };
    finder.read(tokens, None);
    finder.found
}

struct Finder {
    found: Vec<Mention>,
    reads_strings: bool,
}

impl Finder {
    /// `prefix` is what stands before the braces of a grouped `use`.
    fn read(&mut self, tokens: &TokenStream, prefix: Option<&Path>) {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Ident(ident) => {
                    let follows = at.checked_sub(1).map(|before| &tokens[before]);
                    at = self.read_path(&tokens, at, ident, follows, prefix);
                    continue;
                }
                TokenTree::Group(group) => self.read(&group.stream(), None),
                TokenTree::Literal(literal) if self.reads_strings => {
                    self.read_string(&literal.to_string(), literal.span().start().line);
                }
                TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
            at += 1;
        }
    }

    /// Reads the path that starts with `first` and returns the position after it.
    fn read_path(
        &mut self,
        tokens: &[TokenTree],
        start: usize,
        first: &Ident,
        follows: Option<&TokenTree>,
        prefix: Option<&Path>,
    ) -> usize {
        let mut path = prefix.cloned().unwrap_or_default();
        // `{self}` in a group stands for the prefix.
        if prefix.is_none() || first != "self" {
            path.push(first.to_string());
        }
        let is_path = match follows {
            Some(TokenTree::Punct(punct)) if punct.as_char() == '$' => first == "crate",
            Some(TokenTree::Punct(punct)) => {
                !matches!(punct.as_char(), ':' | '.' | '\'') || is_type_colon(tokens, start)
            }
            _ => true,
        };
        let mut at = start + 1;
        while is_double_colon(tokens, at) {
            match tokens.get(at + 2) {
                Some(TokenTree::Ident(next)) => path.push(next.to_string()),
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    if is_path {
                        self.read(&group.stream(), Some(&path));
                    }
                    return at + 3;
                }
                _ => break,
            }
            at += 3;
        }
        if is_path && 1 < path.len() {
            let line = first.span().start().line;
            self.found.push(Mention { path, line });
        }
        at
    }

    fn read_string(&mut self, literal: &str, line: usize) {
        let text = literal.trim_matches('"');
        let Ok(path) = syn::parse_str::<syn::Path>(text) else {
            return;
        };
        if path.leading_colon.is_none() && 1 < path.segments.len() {
            let segments = path.segments.iter().map(|segment| segment.ident.to_string());
            let path = segments.collect();
            self.found.push(Mention { path, line });
        }
    }
}

fn is_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
}

/// Whether the colon before `at` stands alone, as in `name: Type`.
fn is_type_colon(tokens: &[TokenTree], at: usize) -> bool {
    let before = |distance: usize| at.checked_sub(distance).and_then(|at| tokens.get(at));
    is_colon(before(1)) && !is_colon(before(2))
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}
