//! Where the results go: standard output, JSON, and tables in Markdown for README.md and docs/BENCHMARKS.md.

use crate::table::{Row, Table};
use anyhow::Result;
use serde_json::json;
use std::path::Path;

/// The conditions of the run.
pub type About = Vec<(&'static str, String)>;

/// Prints the table to standard output.
pub fn print(table: &Table, about: &About) {
    let head = Row::HEAD.map(str::to_owned);
    let lines: Vec<_> = std::iter::once(head).chain(table.rows.iter().map(Row::cells)).collect();
    let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count()).max();
    let widths: [usize; 10] = std::array::from_fn(|column| width(column).unwrap_or(0));
    for (name, text) in about {
        println!("{name}: {text}");
    }
    println!();
    for line in &lines {
        let padded = |(column, cell): (usize, &String)| match column {
            2..=6 => format!("{cell:>0$}", widths[column]),
            _ => format!("{cell:<0$}", widths[column]),
        };
        let cells: Vec<_> = line.iter().enumerate().map(padded).collect();
        println!("{}", cells.join("  ").trim_end());
    }
    if let Some(error) = &table.first_error {
        println!("\nThe first reply that was not as it should be: {error}");
    }
}

/// Writes `load.json`, `table.md` and `short.md`.
pub fn write(folder: &Path, table: &Table, about: &About) -> Result<()> {
    let conditions: serde_json::Map<_, _> = about
        .iter()
        .map(|(name, text)| ((*name).to_owned(), json!(text)))
        .collect();
    let rows: Vec<_> = table.rows.iter().map(Row::json).collect();
    let document = json!({"about": conditions, "rows": rows, "firstError": table.first_error});
    std::fs::write(
        folder.join("load.json"),
        serde_json::to_string_pretty(&document)? + "\n",
    )?;
    let list: String = about.iter().map(|(name, text)| format!("- {name}: {text}\n")).collect();
    std::fs::write(
        folder.join("table.md"),
        format!("{list}\n{}", markdown(table.rows.iter(), 10)),
    )?;
    let short = table.rows.iter().filter(|row| row.in_short);
    // README shows what was measured, without the budgets.
    std::fs::write(folder.join("short.md"), markdown(short, 7))?;
    Ok(())
}

/// The first so many columns.
fn markdown<'a>(rows: impl Iterator<Item = &'a Row>, columns: usize) -> String {
    // The unit stands behind the name.
    let line = |cells: [String; 10]| {
        let [name, unit, ..] = &cells;
        let rest = &cells[2..columns];
        let name = if unit.is_empty() {
            name.clone()
        } else {
            format!("{name} ({unit})")
        };
        format!("| {name} | {} |\n", rest.join(" | "))
    };
    let mut text = line(Row::HEAD.map(|head| if head == "unit" { String::new() } else { head.to_owned() }));
    text += "| ---";
    text.extend((2..columns).map(|column| if column < 7 { " | ---:" } else { " | ---" }));
    text += " |\n";
    text.extend(rows.map(|row| line(row.cells())));
    text
}
