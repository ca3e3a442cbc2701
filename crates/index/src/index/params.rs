//! The numbers of the ranking: BM25's two, and what each kind of term is worth.
//!
//! The latter were chosen on public sets of conversations and questions, English and Chinese. The
//! results are flat around them: what matters is that stop words and parts do not make an entry
//! longer, and that weak words count less than half.

use crate::text::TermKind;

/// The parameters of BM25.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25 {
    /// How soon more occurrences of a word stop counting.
    pub k1: f32,
    /// How much long entries are held back, from 0 to 1.
    pub b: f32,
    pub length: LengthTerm,
}

/// What stands for the length of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthTerm {
    /// Its root: a text of four times the words is not four times as vague.
    #[default]
    Root,
    /// The length itself, as BM25 is usually written.
    Plain,
}

impl LengthTerm {
    /// Both.
    pub const ALL: [LengthTerm; 2] = [LengthTerm::Root, LengthTerm::Plain];

    /// The name in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            LengthTerm::Root => "root",
            LengthTerm::Plain => "plain",
        }
    }

    pub(super) fn of(self, length: f32) -> f32 {
        match self {
            LengthTerm::Root => length.sqrt(),
            LengthTerm::Plain => length,
        }
    }
}

impl Default for Bm25 {
    fn default() -> Bm25 {
        Bm25 {
            k1: 1.5,
            b: 0.75,
            length: LengthTerm::default(),
        }
    }
}

impl Bm25 {
    pub(super) fn checked(self) -> Bm25 {
        let default = Bm25::default();
        let k1 = if self.k1.is_finite() && self.k1 >= 0.0 {
            self.k1
        } else {
            default.k1
        };
        let b = if (0.0..=1.0).contains(&self.b) {
            self.b
        } else {
            default.b
        };
        Bm25 {
            k1,
            b,
            length: self.length,
        }
    }
}

/// One full occurrence. Occurrences and lengths are counted in whole units, so that sums do not
/// depend on their order.
pub(super) const UNIT: u32 = 64;

/// The weight of a field in units, kept within sense.
pub(super) fn field_weight(weight: f32) -> u32 {
    if weight.is_nan() {
        UNIT
    } else {
        (weight.clamp(0.0, 16.0) * UNIT as f32).round() as u32
    }
}

/// What an occurrence of a term adds to its frequency in the entry.
pub(super) fn occurrence_units(kind: TermKind, field_weight: u32) -> u16 {
    let units = match kind {
        TermKind::Word | TermKind::Weak | TermKind::Alias | TermKind::Stop | TermKind::Gram => field_weight,
        TermKind::Part => field_weight * 3 / 4,
    };
    units.min(u32::from(u16::MAX)) as u16
}

/// What an occurrence of a term adds to the length of the entry.
pub(super) fn length_units(kind: TermKind, field_weight: u32) -> u32 {
    match kind {
        TermKind::Word | TermKind::Weak => field_weight,
        TermKind::Part | TermKind::Gram | TermKind::Alias | TermKind::Stop => 0,
    }
}

/// What a term of a query counts.
pub(super) fn query_weight(kind: TermKind) -> f32 {
    match kind {
        TermKind::Word | TermKind::Stop => 1.0,
        TermKind::Weak => 0.4,
        TermKind::Part => 0.6,
        TermKind::Gram => 0.6,
        TermKind::Alias => 0.5,
    }
}

/// What a term counts each further time the query says it: a long message repeats itself more than
/// it insists.
pub(super) const AGAIN: f32 = 0.3;

/// Whether an entry with this term holds the word itself.
pub(super) fn is_whole(kind: TermKind) -> bool {
    matches!(kind, TermKind::Word | TermKind::Weak | TermKind::Alias)
}
