//! Finds the field that a text means: by its path, its name, its label or a word that people use for it.

use super::Field;

/// Fields named where none is meant for sure.
const MAX_NEAR: usize = 3;

/// The field that `said` names.
///
/// # Errors
/// With the fields that it may mean, where it is none or several; empty where nothing is near.
pub fn lookup<'f>(fields: &'f [Field], said: &str) -> Result<&'f Field, Vec<&'f Field>> {
    let said = said.trim();
    if let Some(field) = fields.iter().find(|field| field.path.as_str() == said) {
        return Ok(field);
    }
    let key = normalized(said);
    if key.is_empty() {
        return Err(Vec::new());
    }
    let is_path = |field: &&Field| normalized(field.path.as_str()) == key || normalized(field.path.name()) == key;
    let is_label = |field: &&Field| labels(field).any(|label| normalized(label) == key);
    let is_alias = |field: &&Field| field.aliases.iter().any(|alias| normalized(alias) == key);
    let tiers: [&dyn Fn(&&Field) -> bool; 3] = [&is_path, &is_label, &is_alias];
    for tier in tiers {
        let mut found: Vec<&Field> = fields.iter().filter(tier).collect();
        match found.len() {
            0 => {}
            1 => return Ok(found.remove(0)),
            _ => {
                found.truncate(MAX_NEAR);
                return Err(found);
            }
        }
    }
    Err(near(fields, said))
}

/// The label, and what stands before its explanation.
fn labels(field: &Field) -> impl Iterator<Item = &str> {
    let short = field.label.split([',', '(']).next().unwrap_or_default();
    [&*field.label, short].into_iter()
}

/// Fields with the same name in another section, else those whose names hold all words.
fn near<'f>(fields: &'f [Field], said: &str) -> Vec<&'f Field> {
    let name = normalized(said.rsplit('.').next().unwrap_or_default());
    let is_named = |field: &&Field| normalized(field.path.name()) == name;
    let mut found: Vec<&Field> = fields.iter().filter(is_named).collect();
    if found.is_empty() {
        let words: Vec<String> = said
            .split(|c: char| !c.is_alphanumeric())
            .map(normalized)
            .filter(|word| word.len() > 2)
            .collect();
        let holds = |field: &&Field| {
            let mut text = normalized(&field.label) + &normalized(field.path.name());
            field.aliases.iter().for_each(|alias| text.push_str(&normalized(alias)));
            !words.is_empty() && words.iter().all(|word| text.contains(word.as_str()))
        };
        found = fields.iter().filter(holds).take(MAX_NEAR).collect();
    }
    found.truncate(MAX_NEAR);
    found
}

/// Letters and digits only, in lower case.
fn normalized(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::catalogue;
    use super::*;

    fn found(said: &str) -> Result<&str, Vec<&str>> {
        lookup(catalogue(), said)
            .map(|field| field.path.as_str())
            .map_err(|near| near.into_iter().map(|field| field.path.as_str()).collect())
    }

    #[test]
    fn a_field_is_found_by_each_of_its_names() {
        for field in catalogue() {
            let path = field.path.as_str();
            assert_eq!(found(path), Ok(path));
            assert_eq!(found(&path.to_uppercase()), Ok(path));
            assert_eq!(found(field.path.name()), Ok(path));
            assert_eq!(found(&field.label), Ok(path), "{}", field.label);
        }
        assert_eq!(found("cost of goods sold"), Ok("operatingCosts.cogsPct"));
        assert_eq!(found("monthly sales"), Ok("revenue.monthlyAuv"));
        assert_eq!(found("COGS"), Ok("operatingCosts.cogsPct"));
    }

    #[test]
    fn what_names_no_field_finds_those_near_it() {
        assert_eq!(found("financing.rentMonthly"), Err(vec!["operatingCosts.rentMonthly"]));
        assert_eq!(found("startup.signage cost"), Err(vec![]));
        assert_eq!(found(""), Err(vec![]));
        assert_eq!(found("🤷"), Err(vec![]));
        assert!(matches!(found("loan"), Err(near) if near.contains(&"financing.loanAmount")));
    }
}
