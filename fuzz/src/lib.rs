//! The laws that the fuzz targets check, shared with the tests of `othello`.

#[path = "../../crates/othello/tests/it/laws.rs"]
mod laws;

macro_rules! publish {
    ($($law:ident)*) => {
        $(
            /// See the law of this name.
            pub fn $law(bytes: &[u8]) {
                laws::$law(bytes);
            }
        )*
    };
}
publish!(position transcript obf ggf wthor_games wthor_names convert_detect);
