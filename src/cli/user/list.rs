//! `user list`: people as aligned text.

use super::{DatabaseArgs, UNREADABLE, connect, role};
use crate::store::people::users::listing::{Listed, list};
use anyhow::{Context, Result};
use clap::Args;
use plan_model::access::UserRole;
use plan_model::clean;
use std::fmt::Write;

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Only people with this role
    #[arg(long, value_parser = role)]
    role: Option<UserRole>,
}

pub(super) async fn run(args: ListArgs) -> Result<()> {
    let conn = connect(&args.database).await?;
    let people = list(&conn, args.role).await.context(UNREADABLE)?;
    let heads = ["EMAIL", "NAME", "ROLE", "BRAND", "DISABLED"].map(str::to_owned);
    let lines: Vec<_> = std::iter::once(heads).chain(people.iter().map(cells)).collect();
    super::print(&aligned(&lines))
}

fn cells(person: &Listed) -> [String; 5] {
    [
        &*person.email,
        &clean::label(&person.display_name),
        person.role.as_str(),
        person.brand.as_deref().unwrap_or("-"),
        if person.is_disabled { "yes" } else { "no" },
    ]
    .map(str::to_owned)
}

/// Columns as wide as their widest cell.
pub(super) fn aligned(lines: &[[String; 5]]) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    for [cells @ .., last] in lines {
        for (cell, width) in cells.iter().zip(widths) {
            let _ = write!(text, "{cell:<width$}  ");
        }
        text.push_str(last);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let line = |cells: [&str; 5]| cells.map(str::to_owned);
        let lines = [
            line(["EMAIL", "N", "R", "B", "D"]),
            line(["a@b.c", "Zoë", "r", "-", "no"]),
        ];
        assert_eq!(aligned(&lines), "EMAIL  N    R  B  D\na@b.c  Zoë  r  -  no\n");
    }
}
