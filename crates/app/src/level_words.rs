//! How levels are called and described where people read it.

use crate::Profile;

/// `level 1400`, or `full strength`.
pub fn level_title(profile: &Profile) -> String {
    match profile.name {
        "max" => "full strength".to_owned(),
        name => name.replace("elo_", "level "),
    }
}

/// One sentence: how far the level looks, how long it takes, whether it errs on purpose.
pub fn level_description(profile: &Profile) -> String {
    let depth = profile.depth.unwrap_or(0);
    let errs = if profile.blunder_probability > 0.0 {
        let percent = 100.0 * profile.blunder_probability;
        format!(", and blunders in {percent} of 100 moves where it can")
    } else {
        ", and never errs on purpose".to_owned()
    };
    let seconds = profile.time_ms as f64 / 1000.0;
    format!("Looks {depth} moves ahead, takes at most {seconds} s{errs}.")
}
