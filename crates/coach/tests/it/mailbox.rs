//! A tiny board of its own: squares in an array, rules by walking. It shares no code with the
//! explainer and none with the kernels, so that neither can vouch for itself.

use othello::{Position, Side};

/// What stands on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    Empty,
    Disc(Side),
}

/// Eight rows of eight; a square is row × 8 + column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mailbox {
    cells: [Cell; 64],
    pub(crate) turn: Side,
}

const STEPS: [(i32, i32); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

pub(crate) const CORNERS: [usize; 4] = [0, 7, 56, 63];

/// The square a step away, if there is one.
fn step(square: usize, (rows, columns): (i32, i32)) -> Option<usize> {
    let row = (square / 8) as i32 + rows;
    let column = (square % 8) as i32 + columns;
    ((0..8).contains(&row) && (0..8).contains(&column)).then(|| (row * 8 + column) as usize)
}

pub(crate) fn neighbours(square: usize) -> impl Iterator<Item = usize> {
    STEPS.into_iter().filter_map(move |by| step(square, by))
}

impl Mailbox {
    /// By way of the text, so that not even the bits are shared.
    pub(crate) fn new(position: Position) -> Self {
        let text = position.to_string();
        let mut cells = [Cell::Empty; 64];
        for (cell, letter) in cells.iter_mut().zip(text.chars()) {
            *cell = match letter {
                'X' => Cell::Disc(Side::Black),
                'O' => Cell::Disc(Side::White),
                _ => Cell::Empty,
            };
        }
        let turn = match text.chars().last() {
            Some('X') => Side::Black,
            _ => Side::White,
        };
        Self { cells, turn }
    }

    pub(crate) fn is_empty(&self, square: usize) -> bool {
        self.cells[square] == Cell::Empty
    }

    pub(crate) fn has(&self, square: usize, side: Side) -> bool {
        self.cells[square] == Cell::Disc(side)
    }

    pub(crate) fn empties(&self) -> Vec<usize> {
        (0..64).filter(|&square| self.is_empty(square)).collect()
    }

    pub(crate) fn count(&self, side: Side) -> i32 {
        (0..64).filter(|&square| self.has(square, side)).count() as i32
    }

    pub(crate) fn flips(&self, square: usize, side: Side) -> Vec<usize> {
        let mut flipped = Vec::new();
        if !self.is_empty(square) {
            return flipped;
        }
        for by in STEPS {
            let mut run = Vec::new();
            let mut at = step(square, by);
            while let Some(next) = at.filter(|&next| self.has(next, side.other())) {
                run.push(next);
                at = step(next, by);
            }
            if at.is_some_and(|end| self.has(end, side)) {
                flipped.extend(run);
            }
        }
        flipped
    }

    pub(crate) fn legal(&self, side: Side) -> Vec<usize> {
        (0..64)
            .filter(|&square| !self.flips(square, side).is_empty())
            .collect()
    }

    /// Whoever's turn it is plays; `None` if that is against the rules.
    pub(crate) fn play(&self, square: usize) -> Option<Self> {
        let flipped = self.flips(square, self.turn);
        if flipped.is_empty() {
            return None;
        }
        let mut next = self.clone();
        for disc in flipped.into_iter().chain([square]) {
            next.cells[disc] = Cell::Disc(self.turn);
        }
        next.turn = self.turn.other();
        Some(next)
    }

    /// The turn goes over; `None` if there is a move, or nobody has one.
    pub(crate) fn pass(&self) -> Option<Self> {
        let due = self.legal(self.turn).is_empty() && !self.legal(self.turn.other()).is_empty();
        due.then(|| Self {
            turn: self.turn.other(),
            ..self.clone()
        })
    }

    pub(crate) fn is_over(&self) -> bool {
        Side::BOTH
            .into_iter()
            .all(|side| self.legal(side).is_empty())
    }

    /// The final difference for a side, empty squares to the winner.
    pub(crate) fn final_difference(&self, side: Side) -> i32 {
        let difference = self.count(side) - self.count(side.other());
        difference + difference.signum() * self.empties().len() as i32
    }

    /// Discs of a side that touch an empty square.
    pub(crate) fn frontier(&self, side: Side) -> i32 {
        let touches = |&square: &usize| neighbours(square).any(|near| self.is_empty(near));
        let discs = (0..64).filter(|&square| self.has(square, side));
        discs.filter(touches).count() as i32
    }

    pub(crate) fn corners(&self, side: Side) -> i32 {
        let owned = CORNERS.iter().filter(|&&corner| self.has(corner, side));
        owned.count() as i32
    }

    /// The connected set of empty squares around one.
    pub(crate) fn region(&self, square: usize) -> Vec<usize> {
        let mut region = vec![square];
        let mut i = 0;
        while i < region.len() {
            for near in neighbours(region[i]) {
                if self.is_empty(near) && !region.contains(&near) {
                    region.push(near);
                }
            }
            i += 1;
        }
        region.sort_unstable();
        region
    }

    /// Discs of a side that can never be flipped, as far as three simple rules see: edges by trying
    /// everything that may happen on them, discs all of whose lines are full, and discs that are
    /// held on each line by the border, a full line or a stable neighbour.
    pub(crate) fn stable(&self, side: Side) -> Vec<usize> {
        let mut stable = [false; 64];
        for edge in edges() {
            let cells = edge.map(|square| self.cells[square]);
            for (i, kept) in edge_keeps(cells, side).into_iter().enumerate() {
                stable[edge[i]] |= kept;
            }
        }
        let full = |square: usize, axis: usize| {
            let (rows, columns) = STEPS[axis];
            [(rows, columns), (-rows, -columns)].into_iter().all(|by| {
                let mut at = Some(square);
                while let Some(here) = at {
                    if self.is_empty(here) {
                        return false;
                    }
                    at = step(here, by);
                }
                true
            })
        };
        for (square, stable) in stable.iter_mut().enumerate() {
            *stable |= self.has(square, side) && (0..4).all(|axis| full(square, axis));
        }
        // Without any anchor the rules below have nothing to begin with.
        loop {
            let held = |square: usize, axis: usize| {
                let (rows, columns) = STEPS[axis];
                full(square, axis)
                    || [(rows, columns), (-rows, -columns)]
                        .into_iter()
                        .filter_map(|by| step(square, by))
                        .any(|near| stable[near])
            };
            let inner =
                |square: usize| (1..7).contains(&(square / 8)) && (1..7).contains(&(square % 8));
            let grown: Vec<usize> = (0..64)
                .filter(|&square| !stable[square] && inner(square) && self.has(square, side))
                .filter(|&square| (0..4).all(|axis| held(square, axis)))
                .collect();
            if grown.is_empty() {
                break;
            }
            for square in grown {
                stable[square] = true;
            }
        }
        (0..64).filter(|&square| stable[square]).collect()
    }

    /// Moves of a side that open no corner: the other side can take none afterwards that it could
    /// not have taken before. Those on the X square of an empty corner are not among them.
    pub(crate) fn safe(&self, side: Side) -> Vec<usize> {
        let other = side.other();
        let own_turn = Self {
            turn: side,
            ..self.clone()
        };
        let open = |board: &Self, corner: &usize| !board.flips(*corner, other).is_empty();
        let is_x = |&square: &usize| {
            let diagonal = [(0, 9), (7, 14), (56, 49), (63, 54)];
            let corner = diagonal.iter().find(|(_, x)| *x == square);
            corner.is_some_and(|&(corner, _)| self.is_empty(corner))
        };
        let opens_none = |&square: &usize| {
            let after = own_turn.play(square).unwrap();
            let mut corners = CORNERS.iter();
            corners.all(|corner| !open(&after, corner) || open(self, corner))
        };
        let mut moves = self.legal(side);
        moves.retain(|square| !is_x(square) && opens_none(square));
        moves
    }

    /// How long the longest wall of a side is: discs in a row or column inside of the edges, all
    /// squares along one side empty; 0 below four.
    pub(crate) fn wall(&self, side: Side) -> usize {
        let mut longest = 0;
        for (along, across) in [(1, 8), (8, 1)] {
            for line in 1..7_usize {
                for beside in [line - 1, line + 1] {
                    let mut run = 0;
                    for place in 0..8 {
                        let disc = self.has(line * across + place * along, side);
                        let bare = self.is_empty(beside * across + place * along);
                        run = if disc && bare { run + 1 } else { 0 };
                        longest = longest.max(run);
                    }
                }
            }
        }
        if longest >= 4 { longest } else { 0 }
    }

    /// The squares of an edge from one corner to the other.
    pub(crate) fn edge(name: &str) -> [usize; 8] {
        let at = [
            "the top edge",
            "the bottom edge",
            "the left edge",
            "the right edge",
        ]
        .iter()
        .position(|it| *it == name);
        edges()[at.unwrap()]
    }

    /// The open C square of an edge where a side has five discs beside the other one.
    pub(crate) fn open_c(&self, edge: [usize; 8], side: Side) -> Option<usize> {
        let letters: String = edge
            .iter()
            .map(|&square| match self.cells[square] {
                Cell::Empty => '-',
                Cell::Disc(owner) if owner == side => 'x',
                Cell::Disc(_) => 'o',
            })
            .collect();
        match letters.as_str() {
            "-xxxxx--" => Some(edge[6]),
            "--xxxxx-" => Some(edge[1]),
            _ => None,
        }
    }

    /// Whether a disc stands on an edge between two discs of the other side there.
    pub(crate) fn is_wedge(&self, edge: [usize; 8], square: usize, side: Side) -> bool {
        let three = edge.windows(3).find(|three| three[1] == square);
        three.is_some_and(|three| {
            self.has(square, side)
                && self.has(three[0], side.other())
                && self.has(three[2], side.other())
        })
    }

    /// The best final difference for the side to move, by trying everything.
    pub(crate) fn solve(&self) -> i32 {
        let moves = self.legal(self.turn);
        if moves.is_empty() {
            return match self.pass() {
                Some(passed) => -passed.solve(),
                None => self.final_difference(self.turn),
            };
        }
        let values = moves
            .into_iter()
            .map(|square| -self.play(square).unwrap().solve());
        values.max().unwrap()
    }
}

fn edges() -> [[usize; 8]; 4] {
    [
        std::array::from_fn(|i| i),
        std::array::from_fn(|i| 56 + i),
        std::array::from_fn(|i| 8 * i),
        std::array::from_fn(|i| 8 * i + 7),
    ]
}

/// Which discs of a side on an edge keep their colour whatever both sides place on it, in any
/// order.
fn edge_keeps(cells: [Cell; 8], side: Side) -> [bool; 8] {
    use std::collections::HashMap;
    fn walk(cells: [Cell; 8], side: Side, known: &mut HashMap<[u8; 8], [bool; 8]>) -> [bool; 8] {
        let key = cells.map(|cell| match cell {
            Cell::Empty => 0,
            Cell::Disc(owner) if owner == side => 1,
            Cell::Disc(_) => 2,
        });
        if let Some(&keeps) = known.get(&key) {
            return keeps;
        }
        let mut keeps = cells.map(|cell| cell == Cell::Disc(side));
        for at in 0..8 {
            if cells[at] != Cell::Empty {
                continue;
            }
            for owner in Side::BOTH {
                let after = walk(placed(cells, at, owner), side, known);
                for i in 0..8 {
                    keeps[i] &= after[i];
                }
            }
        }
        known.insert(key, keeps);
        keeps
    }
    thread_local! {
        static KNOWN: std::cell::RefCell<HashMap<[u8; 8], [bool; 8]>> =
            std::cell::RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| walk(cells, side, known))
}

/// An edge after a disc is placed, with the flips along it.
fn placed(mut cells: [Cell; 8], at: usize, owner: Side) -> [Cell; 8] {
    let before = cells;
    cells[at] = Cell::Disc(owner);
    for by in [1i32, -1] {
        let mut run = Vec::new();
        let mut i = at as i32 + by;
        while (0..8).contains(&i) && before[i as usize] == Cell::Disc(owner.other()) {
            run.push(i as usize);
            i += by;
        }
        if (0..8).contains(&i) && before[i as usize] == Cell::Disc(owner) {
            for flipped in run {
                cells[flipped] = Cell::Disc(owner);
            }
        }
    }
    cells
}
