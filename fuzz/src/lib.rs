//! The laws that the fuzz targets check, shared with the tests of the crates that read.

#[path = "../../crates/arena/tests/it/laws.rs"]
mod conversation_laws;
#[path = "../../crates/engine/tests/it/laws.rs"]
mod engine_laws;
#[path = "../../crates/app/src/laws.rs"]
mod file_laws;
#[path = "../../crates/game/tests/it/laws.rs"]
mod game_laws;
#[path = "../../crates/othello/tests/it/laws.rs"]
mod laws;
#[path = "../../crates/server/tests/it/laws.rs"]
mod request_laws;
#[path = "../../crates/learn/tests/it/laws.rs"]
mod training_laws;

macro_rules! publish {
    ($laws:ident: $($law:ident)*) => {
        $(
            /// See the law of this name.
            pub fn $law(bytes: &[u8]) {
                $laws::$law(bytes);
            }
        )*
    };
}
publish!(laws: position transcript obf ggf wthor_games wthor_names convert_detect);
publish!(conversation_laws: gtp nboard uci);
publish!(training_laws: checkpoint data games linear_state);
publish!(engine_laws: book classic_weights grown_book pattern_weights);
publish!(file_laws: archive config registry session);
publish!(game_laws: annotations epd pgn polyglot);
publish!(request_laws: body);
