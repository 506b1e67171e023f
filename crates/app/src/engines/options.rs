//! The settings of an engine: what it says it has, what is used, and changes of that.

use super::{Definition, Overrides, Setting};
use arena::{
    process::Identity,
    protocol::uci::{Declaration, Domain, OptionError},
};

/// A setting as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub option: Declaration,
    /// What the engine is started with; `None` for a button.
    pub value: Option<String>,
    /// Whether that is not what the engine itself would take.
    pub is_changed: bool,
    /// What it is for, if somebody wrote it down.
    pub description: String,
}

/// All settings that an engine declares, with the values it is started with.
pub fn rows(
    identity: &Identity,
    used: &[(String, String)],
    definition: Option<&Definition>,
) -> Vec<Row> {
    let row = |option: &Declaration| {
        let own = used
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(&option.name));
        let value = own
            .map(|(_, value)| value.clone())
            .or_else(|| option.default_text());
        let note = definition.and_then(|it| it.note(&option.name));
        Row {
            is_changed: value != option.default_text(),
            value,
            description: note.map_or_else(String::new, |it| it.description.clone()),
            option: option.clone(),
        }
    };
    identity.options.iter().map(row).collect()
}

/// What the user wants to be different.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Forget all earlier changes.
    pub reset_all: bool,
    /// Settings that are again what the engine says.
    pub reset: Vec<String>,
    /// Settings that go together; `Some(None)` is no profile.
    pub profile: Option<Option<String>>,
    pub set: Vec<(String, String)>,
}

/// A change that an engine does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    #[error("there is no profile {name:?} for it; there are: {known}")]
    Profile { name: String, known: String },
    #[error("the engine has no setting {0:?}")]
    Unknown(String),
    #[error("{0} is a button, which has no value to keep")]
    Button(String),
    #[error(transparent)]
    Value(#[from] OptionError),
}

impl Change {
    /// Makes the change; an error leaves everything as it was.
    pub fn apply(
        &self,
        overrides: &Overrides,
        identity: &Identity,
        definition: Option<&Definition>,
    ) -> Result<Overrides, ChangeError> {
        let mut changed = if self.reset_all {
            Overrides::default()
        } else {
            overrides.clone()
        };
        for name in &self.reset {
            forget(&mut changed, name);
        }
        if let Some(profile) = &self.profile {
            check_profile(profile.as_deref(), definition)?;
            changed.profile.clone_from(profile);
        }
        for (name, value) in &self.set {
            let declaration = identity
                .option(name)
                .ok_or_else(|| ChangeError::Unknown(name.clone()))?;
            if declaration.domain == Domain::Button {
                return Err(ChangeError::Button(name.clone()));
            }
            // `auto` is ours: it is a number when the engine starts.
            let is_spin = matches!(declaration.domain, Domain::Spin { .. });
            if !(is_spin && is_auto(&declaration.name, value)) {
                declaration.accept(value)?;
            }
            forget(&mut changed, &declaration.name);
            let setting = Setting(value.clone());
            changed.options.insert(declaration.name.clone(), setting);
        }
        Ok(changed)
    }
}

/// The setting of UCI that `auto` means something for: one thread for each core but one.
const THREADS: &str = "Threads";

/// Whether a setting is a number of threads that is chosen when the engine starts.
pub(super) fn is_auto(name: &str, value: &str) -> bool {
    name.eq_ignore_ascii_case(THREADS) && value.eq_ignore_ascii_case("auto")
}

fn forget(overrides: &mut Overrides, name: &str) {
    overrides
        .options
        .retain(|it, _| !it.eq_ignore_ascii_case(name));
}

fn check_profile(name: Option<&str>, definition: Option<&Definition>) -> Result<(), ChangeError> {
    let Some(name) = name else { return Ok(()) };
    let known: Vec<&str> = definition
        .map(|it| it.profiles.keys().map(String::as_str).collect())
        .unwrap_or_default();
    if known.contains(&name) {
        return Ok(());
    }
    Err(ChangeError::Profile {
        name: name.to_owned(),
        known: known.join(", "),
    })
}
