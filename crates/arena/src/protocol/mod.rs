//! The languages that engines speak: pure text both ways, no reading, writing or waiting.
