//! Which parameter a server refuses.

/// A refusal's body, searched for names of parameters.
pub struct Refusal<'a> {
    body: &'a str,
    /// `error.param`, where the body has it.
    param: Option<String>,
}

impl<'a> Refusal<'a> {
    pub fn read(body: &'a str) -> Self {
        #[derive(Default, serde::Deserialize)]
        #[serde(default)]
        struct Body<'a> {
            #[serde(borrow)]
            error: crate::wire::Object<Error<'a>>,
        }
        #[derive(Default, serde::Deserialize)]
        #[serde(default)]
        struct Error<'a> {
            #[serde(borrow)]
            param: crate::wire::Word<'a>,
        }
        let param = serde_json::from_str::<Body>(body)
            .ok()
            .and_then(|body| body.error.0?.param.get().map(str::to_owned));
        Self { body, param }
    }

    /// Whether it is about this parameter: by `error.param`, else by its words. Names that are ordinary words count only in
    /// quotes.
    pub fn names(&self, name: &str) -> bool {
        match &self.param {
            Some(param) => param
                .strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])),
            None if matches!(name, "include" | "store" | "reasoning" | "effort") => ['\'', '"', '`']
                .iter()
                .any(|quote| self.body.contains(&format!("{quote}{name}{quote}"))),
            None => self.mentions(name),
        }
    }

    /// Whether the name stands in the body as a word of its own.
    pub fn mentions(&self, name: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        self.body
            .match_indices(name)
            .any(|(at, _)| !self.body[..at].ends_with(is_word) && !self.body[at + name.len()..].starts_with(is_word))
    }
}
