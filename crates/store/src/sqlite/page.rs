//! The layout of a database page, as far as the space that no row takes.

use std::ops::Range;

/// Where the header of a page begins on the first page, which has the header of the file before it.
const FIRST_HEADER: usize = 100;

/// Finds the space between the pointers to rows, which grow from the front, and the rows, which
/// grow from the end. None for a page without rows, or one with an invalid header.
pub(super) fn unallocated(page: &[u8], is_first: bool) -> Option<Range<usize>> {
    let header = if is_first { FIRST_HEADER } else { 0 };
    let number = |at: usize| {
        Some(usize::from(u16::from_be_bytes([
            *page.get(at)?,
            *page.get(at + 1)?,
        ])))
    };
    let header_bytes = match page.get(header)? {
        // Inner pages of indexes and tables, and their leaves.
        2 | 5 => 12,
        10 | 13 => 8,
        _ => return None,
    };
    let pointers = header + header_bytes;
    let start = pointers + 2 * number(header + 3)?;
    let end = match number(header + 5)? {
        0 => 65_536,
        end => end,
    };
    let first_free = number(header + 1)?;
    let rows_are_behind = (pointers..start)
        .step_by(2)
        .all(|at| number(at).is_some_and(|row| end <= row));
    let holds =
        start <= end && end <= page.len() && (first_free == 0 || end <= first_free) && rows_are_behind;
    holds.then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leaf of 64 bytes whose rows begin at `rows`, with pointers to them.
    fn leaf(rows: u8, pointers: &[u8]) -> Vec<u8> {
        let mut page = vec![0xa5; 64];
        page[..8].copy_from_slice(&[13, 0, 0, 0, pointers.len() as u8, 0, rows, 0]);
        for (at, pointer) in (8..).step_by(2).zip(pointers) {
            page[at..at + 2].copy_from_slice(&[0, *pointer]);
        }
        page
    }

    #[test]
    fn the_unallocated_space_is_between_pointers_and_rows() {
        assert_eq!(unallocated(&leaf(40, &[40, 52]), false), Some(12..40));
        assert_eq!(unallocated(&leaf(64, &[]), false), Some(8..64));
    }

    #[test]
    fn a_page_that_is_not_as_it_should_be_is_left_alone() {
        for odd in [
            leaf(40, &[39]),
            leaf(65, &[]),
            leaf(9, &[40, 52]),
            vec![13; 64],
            vec![0; 64],
            vec![0xff; 64],
            vec![10],
            Vec::new(),
        ] {
            assert_eq!(unallocated(&odd, false), None, "{odd:?}");
            assert_eq!(unallocated(&odd, true), None, "{odd:?}");
        }
    }
}
