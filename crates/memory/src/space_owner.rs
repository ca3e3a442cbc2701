//! Which server of several a space is best asked at.
//!
//! Any server answers for any space. A space that is always asked at the same one is held in memory
//! once. Each server is weighed for each space, and the heaviest has it: when a server goes or
//! comes, only its own spaces move.

use crate::id::SpaceId;

/// Returns the place in `servers` of the one that has the space; none if there are no servers.
pub fn owner<S: AsRef<str>>(space: &SpaceId, servers: &[S]) -> Option<usize> {
    let weighed = servers
        .iter()
        .enumerate()
        // The name decides between equals, whatever order the servers are listed in.
        .map(|(place, server)| ((weight(space, server.as_ref()), server.as_ref()), place));
    weighed.max().map(|(_, place)| place)
}

/// A number that looks random and is the same in every process.
fn weight(space: &SpaceId, server: &str) -> u64 {
    let bytes = server.bytes().chain([b'\n']).chain(space.as_str().bytes());
    let hashed = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hashed, byte| {
        (hashed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    // The last bytes have reached only the lower bits so far.
    let mixed = (hashed ^ (hashed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::UserId;

    fn owners(servers: &[&str]) -> Vec<String> {
        let space = |number: u32| SpaceId::of_user(&UserId::new(format!("user-{number}")).unwrap());
        (0..10_000)
            .map(|number| servers[owner(&space(number), servers).unwrap()].to_owned())
            .collect()
    }

    #[test]
    fn servers_have_about_as_many_spaces_as_each_other() {
        let found = owners(&["a", "b", "c", "d"]);
        for server in ["a", "b", "c", "d"] {
            let own = found.iter().filter(|owner| *owner == server).count();
            assert!((2_350..2_650).contains(&own), "{server} has {own}");
        }
    }

    #[test]
    fn only_the_spaces_of_a_server_that_goes_move() {
        let (four, three) = (owners(&["a", "b", "c", "d"]), owners(&["c", "a", "d"]));
        for (before, after) in four.iter().zip(&three) {
            assert!(before == "b" || before == after, "{before} {after}");
        }
    }

    #[test]
    fn without_servers_nobody_has_it() {
        assert_eq!(owner::<&str>(&SpaceId::shared(), &[]), None);
    }
}
