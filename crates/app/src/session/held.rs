//! A move that waits to be kept or taken back, and whether the coach may ask about moves at all.

use super::Session;

impl Session {
    /// Whether the last move waits to be kept or taken back.
    pub fn is_held(&self) -> bool {
        self.held == Some(self.walk.cursor)
    }

    /// Whether the coach may ask about moves that cost much.
    pub const fn asks(&self) -> bool {
        self.asks
    }

    /// Lets the last move wait, with both clocks stopped.
    pub fn hold(&mut self, now_ms: u64) {
        self.held = Some(self.walk.cursor);
        self.walk.stop_clock(now_ms);
        self.changed();
    }

    /// The move that waited stands, and the clock of the next one runs. Whether one waited.
    pub fn release(&mut self, now_ms: u64) -> bool {
        let was_held = self.is_held();
        self.held = None;
        if was_held {
            self.walk.run_clock(now_ms);
            self.changed();
        }
        was_held
    }

    /// Allows the coach to ask about moves that cost much, or forbids it.
    pub fn set_asks(&mut self, asks: bool) {
        self.asks = asks;
        self.changed();
    }
}
