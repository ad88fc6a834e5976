//! Seeded mutations, for use without libFuzzer: the same seed gives the same inputs on every machine. It does not measure
//! coverage, so it stays close to the corpus, which libFuzzer has found.

/// Makes new inputs from existing ones.
pub struct Mutator<'a> {
    state: u64,
    corpus: &'a [Vec<u8>],
    tokens: &'a [Vec<u8>],
    max_bytes: usize,
}

/// Bytes that parsers branch on.
const TURNS: &[u8] = b"\0\n\r\t \"'\\{}[]():,;-_.#/@%$+*?<>|=&~`^!09azAZ\x7f\x80\xc2\xe2\xef\xff";

impl<'a> Mutator<'a> {
    pub fn new(seed: u64, corpus: &'a [Vec<u8>], tokens: &'a [Vec<u8>], max_bytes: usize) -> Self {
        Self { state: seed, corpus, tokens, max_bytes }
    }

    /// The next input: one of the corpus, changed in a few places.
    pub fn next_input(&mut self) -> Vec<u8> {
        let at = self.below(self.corpus.len());
        let mut input = self.corpus.get(at).cloned().unwrap_or_default();
        for _ in 0..=self.below(5) {
            self.change(&mut input);
        }
        input.truncate(self.max_bytes);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let (from, to) = self.range(input.len());
        let at = self.below(input.len() + 1);
        match self.below(9) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = TURNS[self.below(TURNS.len())],
            2 => drop(input.drain(from..to)),
            3 => input.insert(at, TURNS[self.below(TURNS.len())]),
            4 => {
                let copied = input[from..to].to_vec();
                let times = 1 + self.below(4);
                drop(input.splice(at..at, copied.repeat(times)));
            }
            5 if !self.tokens.is_empty() => {
                let token = self.tokens[self.below(self.tokens.len())].clone();
                let end = (at + self.below(token.len() + 1)).min(input.len());
                drop(input.splice(at..end, token));
            }
            6 => {
                let other = self.below(self.corpus.len());
                let other = self.corpus.get(other).cloned().unwrap_or_default();
                let (from, to) = self.range(other.len());
                drop(input.splice(at..at, other[from..to].iter().copied()));
            }
            7 => input.truncate(at),
            _ => {
                let digits = ["0", "-1", "4294967296", "9223372036854775807", "1e308", "\u{feff}", "\\ud800", "é"];
                let digits = digits[self.below(digits.len())];
                drop(input.splice(from..to, digits.bytes()));
            }
        }
    }

    /// A short range within a number of bytes.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.below(length + 1);
        let most = if self.below(4) == 0 { length } else { 16 };
        (from, (from + self.below(most + 1)).min(length))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as usize) % bound.max(1)
    }
}

/// The words of a dictionary as libFuzzer writes it: one in quotes on each line, with `\xNN`, `\\` and `\"`.
pub fn dictionary(text: &str) -> Vec<Vec<u8>> {
    let quoted = |line: &str| line.trim().strip_prefix('"')?.strip_suffix('"').map(unescaped);
    text.lines().filter_map(quoted).collect()
}

fn unescaped(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let hex = (rest.starts_with(b"\\x")).then(|| std::str::from_utf8(rest.get(2..4)?).ok()).flatten();
        let hex = hex.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (byte, length) = match (first, hex, after.first()) {
            (_, Some(byte), _) => (byte, 4),
            (b'\\', _, Some(escaped)) => (*escaped, 2),
            _ => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    bytes
}
