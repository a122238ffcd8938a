//! Sentences that never change, and small helpers of style.

use crate::offline::intent::Topic;

/// Under every answer that shows projected results.
pub use plan_engine::describe::FOOTER;

/// The answer to Spanish, which the grammar does not read.
pub const ONLY_ENGLISH: &str = "Por ahora solo entiendo inglés. Escriba, por ejemplo, “Rent is $4,200 a month” o “undo that”. También puede cambiar cada número en Su plan o repasar los números clave.";

/// Words of a franchisee that are Spanish and not English.
const SPANISH: &[&str] = &[
    "alquiler",
    "cuál",
    "cuánto",
    "deshacer",
    "dólares",
    "está",
    "falta",
    "gracias",
    "hola",
    "mes",
    "nuestra",
    "nuestro",
    "prestamo",
    "préstamo",
    "qué",
    "renta",
    "sueldo",
    "ventas",
];

/// Whether a text is in Spanish, by its marks or its words.
pub fn is_spanish(text: &str) -> bool {
    text.contains(['¿', '¡', 'ñ'])
        || text
            .split(|c: char| !c.is_alphabetic())
            .any(|word| SPANISH.contains(&word.to_lowercase().as_str()))
}

/// The answer to a subject that has one.
pub fn fixed(topic: Topic) -> &'static str {
    match topic {
        Topic::Identity => {
            "I'm the built-in Plan Advisor: software, not a person and not your account manager. I read the numbers you tell me, write them into your plan and show what follows from them."
        }
        Topic::Greeting => {
            "Hello! I'm the built-in Plan Advisor. Tell me your numbers in your own words, such as your rent or your loan, and I'll write them into your plan."
        }
        Topic::Help => {
            "Tell me your numbers in your own words and I'll write them down: rent, payroll, the loan, anything in your plan. You can also ask what is still missing, what the reference range for a line is, where your break-even stands, or what would happen if a number were different."
        }
        Topic::Thanks => "You're welcome. Whenever you have another number, just tell me.",
        Topic::Privacy => "The franchisor does not see this conversation. It belongs to you and your plan.",
        Topic::Counsel => {
            "I can't give legal, tax, lending or investment advice, and I can't say what a lender will decide. Your attorney, CPA, lender or account manager can. I can write down the numbers they give you."
        }
        Topic::Expansion => {
            "This tool is for the unit you have signed for, so I can't advise on signing, buying, renewing or opening another one. The franchise disclosure document and your attorney are the right places for that."
        }
        Topic::OtherPeople => {
            "I have nothing about other franchisees, brands or users, and I work only with your own plan. Your disclosure document, your accountant, your lender or franchisees you know can help with comparisons."
        }
        Topic::Internals => {
            "I stay with your plan and can't change how I work or show what is behind it. If you have a number for your plan, tell me which line it is for."
        }
        Topic::Item7 => {
            "Item 7 is the part of the franchise disclosure document in which the franchisor publishes its estimate of the initial investment, line by line, from a low to a high figure. I mark a number outside it and keep what you said."
        }
        Topic::Performance => {
            "I can't say what you or anybody else will make, and I have no such figures. What I can show is what follows from your own assumptions; ask me for your results and you'll see them."
        }
    }
}

/// "a", "a and b", "a, b and c".
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// The first letter large.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
