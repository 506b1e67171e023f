#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kibitz_fuzz::grown_book(bytes));
