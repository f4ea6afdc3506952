//! Words in the two languages that Papan speaks.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A language of the page, the help and the announcements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Indonesian.
    Id,
}

/// One thing said in both languages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Text {
    /// English.
    pub en: Cow<'static, str>,
    /// Indonesian.
    pub id: Cow<'static, str>,
}

impl Text {
    /// A text that is known at compile time.
    #[must_use]
    pub const fn new(en: &'static str, id: &'static str) -> Self {
        Self { en: Cow::Borrowed(en), id: Cow::Borrowed(id) }
    }

    /// A text that is put together at run time.
    #[must_use]
    pub fn owned(en: String, id: String) -> Self {
        Self { en: Cow::Owned(en), id: Cow::Owned(id) }
    }

    /// A text that is the same in both languages.
    #[must_use]
    pub fn same(text: &str) -> Self {
        Self::owned(text.to_owned(), text.to_owned())
    }

    /// The text in one language.
    #[must_use]
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::En => &self.en,
            Language::Id => &self.id,
        }
    }
}
