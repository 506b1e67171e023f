//! What the home's `config.toml` says, for commands that only want to know.

use crate::failure;
use app::{Book, BookError, Config, Home, OpenBook, config};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// The flags that say which home's configuration a command reads.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct HomeArgs {
    /// Read config.toml in this folder instead of ~/.kibitz
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

/// The configuration and the folder that its paths begin at.
#[derive(Debug, Default)]
pub(crate) struct Configured {
    pub(crate) config: Config,
    folder: PathBuf,
}

impl HomeArgs {
    /// The folder that was asked for.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Reads the configuration; what is odd about it goes to the standard error. Where there is no
    /// home, or no file in it, everything is as usual and nothing is made.
    pub(crate) fn read(&self) -> anyhow::Result<Configured> {
        let Ok(home) = Home::find(self.home.as_deref()) else {
            return Ok(Configured::default());
        };
        let (config, warnings) = config::load(&home.config_file())?;
        for warning in warnings {
            failure::complain(&warning);
        }
        Ok(Configured {
            config,
            folder: home.path().to_owned(),
        })
    }
}

impl Configured {
    /// The configured file of weights; `None` is the shipped ones.
    pub(crate) fn weights(&self) -> Option<PathBuf> {
        self.config.evaluation.file(&self.folder)
    }

    /// The folder that paths of the configuration begin at.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The configured book for work that goes on without one: what is wrong with it is told.
    pub(crate) fn book_or_none(&self) -> Arc<Book> {
        match self.book() {
            Ok(opened) => {
                for warning in &opened.warnings {
                    failure::complain(warning);
                }
                opened.book
            }
            Err(error) => {
                failure::complain(&format!("{error}; it is left out"));
                Arc::default()
            }
        }
    }

    /// Where the configured book is; `None` if it is not in a file.
    pub(crate) fn book_file(&self) -> Option<PathBuf> {
        self.config.book.file(&self.folder)
    }

    /// The configured book.
    pub(crate) fn book(&self) -> Result<OpenBook, BookError> {
        OpenBook::open(&self.config.book, &self.folder)
    }
}
