//! Makes examples from templates, the same ones in every run.

/// A source of characters that look random.
pub struct Generator(u64);

impl Generator {
    /// Starts at a place that `seed` decides.
    pub fn new(seed: &str) -> Generator {
        let mix = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Generator(seed.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
    }

    /// Gives a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    /// Picks one.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// Gives `count` characters of `alphabet`.
    pub fn of(&mut self, alphabet: &str, count: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..count).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }

    /// Fills a template: `{A36}` is 36 base-62 characters, `a` lower case and digits, `U` upper
    /// case and digits, `H` hexadecimal, `D` digits, `W` base64url, `B` base64, `L` letters, `S`
    /// base58, `{G}` a UUID.
    pub fn fill(&mut self, template: &str) -> String {
        let mut filled = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (place, after) = after.split_once('}').expect("a template closes its braces");
            filled.push_str(before);
            filled.push_str(&self.place(place));
            rest = after;
        }
        filled + rest
    }

    fn place(&mut self, place: &str) -> String {
        const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
        const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        const DIGITS: &str = "0123456789";
        let count = place[1..].parse().unwrap_or(0);
        let alphabet = match &place[..1] {
            "A" => format!("{LOWER}{UPPER}{DIGITS}"),
            "a" => format!("{LOWER}{DIGITS}"),
            "U" => format!("{UPPER}{DIGITS}"),
            "H" => "0123456789abcdef".to_owned(),
            "D" => DIGITS.to_owned(),
            "W" => format!("{LOWER}{UPPER}{DIGITS}-_"),
            "B" => format!("{LOWER}{UPPER}{DIGITS}+/"),
            "L" => format!("{LOWER}{UPPER}"),
            "S" => "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".to_owned(),
            _ => return self.fill("{H8}-{H4}-{H4}-{H4}-{H12}"),
        };
        self.of(&alphabet, count)
    }
}
