//! The languages that people are answered in.

use crate::text_enum::text_enum;

text_enum! {
    /// A language.
    #[derive(Default, utoipa::ToSchema)]
    pub enum Language {
        /// English, also where nothing is known.
        #[default]
        English = "en",
        /// Spanish.
        Spanish = "es",
    }
}

/// Words that are Spanish and not English, without accents.
const SPANISH: &str = "el la los las de del que es en por para con una un mi mis cuanto cuanta cuando como donde cual renta \
    alquiler prestamo ventas mes meses al ano anos pago gano gracias hola si y pero mas menos todo todas todos \
    quiero puedo necesito deshacer deshaz imprimir imprime sueldo salarios gastos costo costos negocio dinero \
    seguro ninguno ninguna porque esta son mil dolares pasaria bajo sube baja guardalo guarda vamos voy ganar \
    ganancia entonces algo eso ese ahi ahora nos nuestro nuestra sin tambien cobertura efectivo dejalo dejelo \
    muestre muestreme tengo tenemos cuesta queda hora horas semana dos tres cuatro cinco cada empleados empleadas muchachas les \
    pagan trabajan personas sueldos nomina";

/// Words that are English and not Spanish.
const ENGLISH: &str = "the is are my of to and for what how when why rent loan sales month year i it that this if we per with \
    would can much do does yes print save at show you was were have has from about there where not but make \
    money gonna should than them those these on keep";

impl Language {
    /// What a header `Accept-Language` asks for first.
    pub fn accepted(header: &str) -> Self {
        let first = header.split(',').next().unwrap_or_default().trim();
        match first.get(..2).is_some_and(|code| code.eq_ignore_ascii_case("es")) {
            true => Self::Spanish,
            false => Self::English,
        }
    }

    /// The language of a message, where its words show it.
    pub fn of_message(message: &str) -> Option<Self> {
        if message.contains(['¿', '¡', 'ñ', 'Ñ']) {
            return Some(Self::Spanish);
        }
        let (mut spanish, mut english) = (0, 0);
        // "Y2" is a year, and no Spanish "and".
        for word in message
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !word.contains(|c: char| c.is_numeric()))
            .take(200)
        {
            let word: String = word.to_lowercase().chars().map(without_accent).collect();
            let is_of = |words: &str| words.split_whitespace().any(|known| known == word);
            spanish += usize::from(is_of(SPANISH));
            english += usize::from(is_of(ENGLISH));
        }
        match spanish.cmp(&english) {
            std::cmp::Ordering::Greater => Some(Self::Spanish),
            std::cmp::Ordering::Less => Some(Self::English),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// A lower-case letter without its accent.
pub fn without_accent(letter: char) -> char {
    match letter {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' | 'ü' => 'u',
        'ñ' => 'n',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_of_the_header_counts() {
        assert_eq!(Language::accepted("es-MX,es;q=0.9,en;q=0.8"), Language::Spanish);
        assert_eq!(Language::accepted("en-US,es;q=0.5"), Language::English);
        for other in ["", "*", "fr", "e"] {
            assert_eq!(Language::accepted(other), Language::English, "{other}");
        }
    }

    #[test]
    fn a_message_is_in_the_language_of_its_words() {
        for text in [
            "¿Cuánto necesito para abrir?",
            "la renta es de 1,200 al mes",
            "sí a todo",
            "hola",
            "gracias",
            "vamos a ganar dinero?",
            "entonces vamos a ganar algo o no?",
            "q cobertura tengo",
        ] {
            assert_eq!(Language::of_message(text), Some(Language::Spanish), "{text}");
        }
        for text in [
            "how much do I need to open?",
            "rent is 4,200 a month",
            "print it",
            "Show me profit",
            "what about my sales de facto",
        ] {
            assert_eq!(Language::of_message(text), Some(Language::English), "{text}");
        }
        for text in ["", "4200", "ok", "no"] {
            assert_eq!(Language::of_message(text), None, "{text}");
        }
    }
}
