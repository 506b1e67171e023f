//! How arrays fill SQLite's pages.
//!
//! Arrays of chess are of some kilobytes, and SQLite puts a row that fits into a page into one page:
//! a sixth of the table was empty. So an array that does not fit into what is left of a page is cut
//! where the page ends, and the rest begins the next one. The rows of a batch are written in the
//! order of their numbers, each at the end of the table, so that their sizes tell where pages end
//! (<https://www.sqlite.org/fileformat2.html>). A guess that is wrong costs space and nothing else.

/// What is left of the page that rows are written into.
#[derive(Debug)]
pub(crate) struct Pages {
    page_bytes: usize,
    /// `None` as long as nobody knows where a page begins.
    free_bytes: Option<usize>,
}

/// A page's own bytes.
const HEAD: usize = 8;

/// A rest of a page that is not worth a row.
const LEAST: usize = 256;

/// How many bytes SQLite takes for a number: seven bits in each.
const fn digits(number: usize) -> usize {
    let mut digits = 1;
    let mut rest = number >> 7;
    while rest > 0 {
        rest >>= 7;
        digits += 1;
    }
    digits
}

/// An array with what stands before it in its row: the length of that, and the types of the number,
/// the array and the mark.
const fn payload(array_bytes: usize) -> usize {
    3 + digits(2 * array_bytes + 12) + array_bytes
}

impl Pages {
    pub(crate) const fn new(page_bytes: usize) -> Self {
        Self {
            page_bytes,
            free_bytes: None,
        }
    }

    const fn full(&self) -> usize {
        self.page_bytes - HEAD
    }

    /// What the row of an array takes of the page that it begins on.
    const fn row(&self, id: usize, array_bytes: usize) -> usize {
        let payload = payload(array_bytes);
        let around = 2 + digits(payload) + digits(id);
        if !self.is_long(array_bytes) {
            return around + payload;
        }
        // The rest fills pages of its own, the last of them as far as possible.
        let least = (self.page_bytes - 12) * 32 / 255 - 23;
        let best = least + (payload - least) % (self.page_bytes - 4);
        let here = if best <= self.page_bytes - 35 {
            best
        } else {
            least
        };
        around + here + 4
    }

    /// Whether an array is so long that SQLite gives it pages of its own.
    const fn is_long(&self, array_bytes: usize) -> bool {
        payload(array_bytes) > self.page_bytes - 35
    }

    /// The longest array whose row takes so much of a page and no other page.
    const fn fitting(&self, id: usize, free_bytes: usize) -> usize {
        let mut array_bytes = free_bytes.saturating_sub(2 + 3 + digits(id) + 3 + 3);
        while self.is_long(array_bytes) {
            array_bytes -= 1;
        }
        while !self.is_long(array_bytes + 1) && self.row(id, array_bytes + 1) <= free_bytes {
            array_bytes += 1;
        }
        array_bytes
    }

    /// After how many bytes the array of a row should be cut; `None` if it should not. It is written
    /// next.
    pub(crate) fn cut(&mut self, id: i64, array_bytes: usize) -> Option<usize> {
        let id = id as usize;
        let is_long = self.is_long(array_bytes);
        let whole = self.row(id, array_bytes);
        match self.free_bytes {
            Some(free) if whole <= free => {
                self.free_bytes = Some(free - whole);
                None
            }
            Some(free) if !is_long && free >= LEAST => {
                let first = self.fitting(id, free);
                self.begin(id, array_bytes - first);
                Some(first)
            }
            Some(_) => {
                self.begin(id, array_bytes);
                None
            }
            // A part that takes a whole page is the way to know where one begins.
            None if is_long => {
                let first = self.fitting(id, self.full());
                self.begin(id, array_bytes - first);
                Some(first)
            }
            None => None,
        }
    }

    /// A row that begins a page.
    const fn begin(&mut self, id: usize, array_bytes: usize) {
        self.free_bytes = Some(self.full().saturating_sub(self.row(id, array_bytes)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::{Connection, params};

    /// How many pages a table takes with these arrays, cut as told or not at all.
    fn pages(sizes: &[usize], is_cut: bool) -> i64 {
        let c = Connection::open_in_memory().unwrap();
        let tables = "PRAGMA page_size = 4096; \
                      CREATE TABLE columns(id INTEGER PRIMARY KEY, data BLOB NOT NULL, is_cut INTEGER)";
        c.execute_batch(tables).unwrap();
        let mut pages = Pages::new(4_096);
        let sql = "INSERT INTO columns VALUES (?1, ?2, ?3)";
        for (index, n) in sizes.iter().enumerate() {
            let id = 200_000 + 2 * index as i64;
            let array = vec![7_u8; *n];
            match pages.cut(id, *n).filter(|_| is_cut) {
                None => drop(c.execute(sql, params![id, array, None::<bool>]).unwrap()),
                Some(at) => {
                    c.execute(sql, params![id, &array[..at], true]).unwrap();
                    let rest = params![id + 1, &array[at..], None::<bool>];
                    c.execute(sql, rest).unwrap();
                }
            }
        }
        let count = "PRAGMA page_count";
        c.query_row(count, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn arrays_of_any_length_are_cut_inside_of_them() {
        for page_bytes in [4_096, 16_384] {
            for n in 1..3 * page_bytes {
                let mut pages = Pages::new(page_bytes);
                for id in [200_000, 200_002] {
                    let at = pages.cut(id, n);
                    assert!(at.is_none_or(|at| 0 < at && at < n), "{n} of {page_bytes}");
                }
            }
        }
    }

    #[test]
    fn pages_are_filled_to_the_last_bytes() {
        let mut sizes = vec![9_000];
        sizes.extend((0_usize..2_000).map(|n| n * n * 7_919 % 3_000 + 20));
        sizes.extend([5_000, 30_000, 4_061, 4_062, 4_063, 4_090, 700]);
        let bytes: usize = sizes.iter().sum();
        let (cut, whole) = (pages(&sizes, true), pages(&sizes, false));
        let least = bytes as i64 / 4_096;
        assert!(cut * 100 < least * 103, "{cut} pages for {least}");
        assert!(whole * 100 > least * 115, "{whole} pages for {least}");
    }
}
