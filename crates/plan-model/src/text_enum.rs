//! Enums that are stored and sent as text.

/// Defines an enum whose spellings are written once: SQL, JSON, logs and the API document all take them from here.
///
/// Adds `ALL`, `as_str` and `parse`.
#[macro_export]
macro_rules! text_enum {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $text:tt,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_attribute])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// Every variant, in the order of the code.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The spelling in the database, in JSON and in logs.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// Reads what `as_str` writes.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text)
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> ::std::result::Result<Self, String> {
                Self::parse(&text).ok_or_else(|| format!("{text:?} is no {}", stringify!($name)))
            }
        }
    };
}

pub use text_enum;

#[cfg(test)]
#[allow(unreachable_pub)] // what the macro makes is public
mod tests {
    text_enum! {
        pub enum Light {
            Red = "red",
            DeepBlue = "DEEP_BLUE",
        }
    }

    #[test]
    fn every_spelling_is_the_one_that_was_written() {
        assert_eq!(Light::ALL, [Light::Red, Light::DeepBlue]);
        for light in Light::ALL {
            assert_eq!(serde_json::json!(light), light.as_str());
            assert_eq!(Light::parse(light.as_str()), Some(*light));
        }
        assert_eq!(Light::parse("deep_blue"), None);
        assert_eq!(
            Light::try_from("deep_blue".to_owned()),
            Err(r#""deep_blue" is no Light"#.to_owned())
        );
    }
}
