//! How levels are called and described where people read it.

use crate::{
    Profile,
    engine_levels::{Bot, Jitter, Manner},
};

/// Titles and weaknesses of the opponents.
const OPPONENTS: [(&str, &str, &str); 13] = [
    (
        "first_day",
        "First day",
        "Plays by feeling, often forgets the corners, and is lost near the end.",
    ),
    (
        "collector",
        "Collector",
        "Turns as many discs as it can; corners it likes, but does not plan for.",
    ),
    (
        "edge_fan",
        "Edge fan",
        "Runs to the edges, even when that opens a corner.",
    ),
    (
        "stepper",
        "Stepper",
        "Steps next to empty corners too early.",
    ),
    (
        "hasty",
        "Hasty",
        "Overlooks your best reply about one turn in four.",
    ),
    (
        "spotlight",
        "Spotlight",
        "Looks only at the four moves that catch its eye.",
    ),
    (
        "fader",
        "Fader",
        "Plays well early and loses the thread in the last 20 squares.",
    ),
    (
        "club",
        "Club player",
        "Does not see who gets the last move in a corner.",
    ),
    (
        "tournament",
        "Tournament player",
        "Looks five moves ahead; a disc or two off now and then, and in counting.",
    ),
    (
        "expert",
        "Expert",
        "Looks six moves ahead and counts the last 10 squares; small slips before.",
    ),
    (
        "master",
        "Master",
        "Looks eight moves ahead and counts the last 12 squares; rarely wrong.",
    ),
    (
        "champion",
        "Champion",
        "Looks ten moves ahead and counts the last 16 squares; hardly ever wrong.",
    ),
    (
        "full",
        "Full strength",
        "Everything this computer can do in the time you give it.",
    ),
];

/// `Edge fan`, `level 1400`, `greedy bot`.
pub fn level_title(profile: &Profile) -> String {
    let opponent = OPPONENTS.iter().find(|(name, ..)| *name == profile.name);
    match (opponent, profile.name) {
        (Some((_, title, _)), _) => (*title).to_owned(),
        (None, "max") => "level max".to_owned(),
        (None, name) if profile.kind == crate::Kind::Bot => {
            format!("{} bot", name.replace('_', "-"))
        }
        (None, name) => name.replace("elo_", "level "),
    }
}

/// One sentence: what makes the level weak, or how far it looks and how it errs.
pub fn level_description(profile: &Profile) -> String {
    let opponent = OPPONENTS.iter().find(|(name, ..)| *name == profile.name);
    match (opponent, profile.manner) {
        (Some((.., weakness)), _) => (*weakness).to_owned(),
        (None, Manner::Bot(bot)) => idea(bot).to_owned(),
        (None, Manner::Jitter(jitter)) => fixed(profile, jitter),
        (None, Manner::Person(_)) => String::new(),
    }
}

const fn idea(bot: Bot) -> &'static str {
    match bot {
        Bot::Random => "Moves at random.",
        Bot::Greedy => "Turns as many discs as it can, and thinks of nothing else.",
        Bot::CornerLover => "Takes corners and does not give them; otherwise moves at random.",
        Bot::Mobility => "Leaves you as few moves as it can, and thinks of nothing else.",
    }
}

fn fixed(profile: &Profile, jitter: Jitter) -> String {
    let depth = profile.depth.unwrap_or(0);
    let errs = if jitter.blunder_probability > 0.0 {
        let percent = 100.0 * jitter.blunder_probability;
        format!(", and blunders in {percent} of 100 moves where it can")
    } else {
        ", and never errs on purpose".to_owned()
    };
    let seconds = profile.time_ms as f64 / 1000.0;
    format!("Looks {depth} moves ahead, takes at most {seconds} s{errs}.")
}
