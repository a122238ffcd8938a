/**
 * What a banker does with a printed table: adds each column from top to bottom and compares with what is printed. Rows are
 * `{kind, key, cells}`, see `web/paper/rows.js`; a cell that is no whole number is passed over.
 */
export function additionErrors(rows) {
  const errors = [];
  const columns = Math.max(...rows.map(({ cells }) => cells.length));
  for (let column = 0; column < columns; column += 1) {
    let running = 0;
    let totals = [];
    for (const { kind, key, cells } of rows) {
      const cell = Number.isInteger(cells[column]) ? cells[column] : null;
      if (kind === "group") running = 0;
      if (kind === "line") running += cell ?? 0;
      if (kind === "sum" && cell !== null && cell !== totals.slice(-2).reduce((sum, amount) => sum + amount, 0)) errors.push(`${key}, column ${column + 1}: ${cell}`);
      if (kind !== "total") continue;
      if (cell !== null && cell !== running) errors.push(`${key}, column ${column + 1}: ${cell} instead of ${running}`);
      totals = [...totals, running];
    }
  }
  return errors;
}
