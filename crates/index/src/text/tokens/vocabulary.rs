//! The tokens of an encoding, and how early each was made of shorter ones.

/// All tokens of one encoding.
pub(super) struct Vocabulary {
    /// The tokens by rank: the length of each in one byte, and its bytes.
    list: &'static [u8],
    /// Where in the list the bytes of each token begin.
    starts: Vec<u32>,
    /// Tokens by digest: the rank, and above it some more bits of the digest, so that few others
    /// are compared.
    places: Vec<u32>,
    longest: usize,
}

const RANK_BITS: u32 = 18;
const VACANT: u32 = u32::MAX;

impl Vocabulary {
    /// Makes the look-up table of `list`.
    pub(super) fn of(list: &'static [u8]) -> Vocabulary {
        let mut starts = Vec::new();
        let mut at = 0;
        while let Some(length) = list.get(at) {
            starts.push(u32::try_from(at + 1).expect("the lists have some megabytes"));
            at += 1 + usize::from(*length);
        }
        starts.shrink_to_fit();
        // At most half of the places are taken, so that a search for what is no token soon meets a
        // vacant one.
        let places = vec![VACANT; (2 * starts.len()).next_power_of_two()];
        let mut vocabulary = Vocabulary {
            list,
            starts,
            places,
            longest: 0,
        };
        for rank in 0..vocabulary.starts.len() {
            let token = vocabulary.token(rank);
            let (mut place, tag) = vocabulary.place(token);
            vocabulary.longest = vocabulary.longest.max(token.len());
            while vocabulary.places[place] != VACANT {
                place = vocabulary.next(place);
            }
            vocabulary.places[place] = tag << RANK_BITS | rank as u32;
        }
        vocabulary
    }

    /// The rank of a token; none for any other bytes.
    pub(super) fn rank(&self, bytes: &[u8]) -> Option<u32> {
        if self.longest < bytes.len() {
            return None;
        }
        let (mut place, tag) = self.place(bytes);
        loop {
            let found = self.places[place];
            if found == VACANT {
                return None;
            }
            let rank = found & ((1 << RANK_BITS) - 1);
            if found >> RANK_BITS == tag && self.token(rank as usize) == bytes {
                return Some(rank);
            }
            place = self.next(place);
        }
    }

    fn token(&self, rank: usize) -> &'static [u8] {
        let start = self.starts[rank] as usize;
        &self.list[start..start + usize::from(self.list[start - 1])]
    }

    /// Where a token should be, and its mark there.
    fn place(&self, bytes: &[u8]) -> (usize, u32) {
        let digest = digest(bytes);
        let place = digest >> (64 - self.places.len().trailing_zeros());
        let tag = (digest >> 16) as u32 >> RANK_BITS;
        (place as usize, tag)
    }

    fn next(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }
}

/// Nobody can make the table longer, so that the digest need not be secret, only quick.
fn digest(bytes: &[u8]) -> u64 {
    let mut digest = bytes.len() as u64;
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk() {
        digest = mixed(digest, u64::from_le_bytes(*word));
        rest = after;
    }
    match (rest.first_chunk(), rest.last_chunk()) {
        (Some(first), Some(last)) => {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            mixed(digest, u64::from(first) << 32 | u64::from(last))
        }
        _ => mixed(
            digest,
            rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        ),
    }
}

fn mixed(digest: u64, word: u64) -> u64 {
    let product = (digest.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_found_at_its_rank_and_nothing_else_is() {
        let vocabulary = Vocabulary::of(b"\x01a\x01b\x02ab\x09abababab\xff");
        for (rank, token) in [&b"a"[..], b"b", b"ab", b"abababab\xff"].into_iter().enumerate() {
            assert_eq!(vocabulary.rank(token), Some(rank as u32));
        }
        for other in [&b""[..], b"c", b"ba", b"abababab", b"abababab\xff\xff"] {
            assert_eq!(vocabulary.rank(other), None);
        }
    }
}
