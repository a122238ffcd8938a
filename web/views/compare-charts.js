/** The same chart of every column in one drawing: color and dashes tell the lines apart, the read-out names them. */
import { h } from "../dom.js";
import { chartsOf } from "../chart-data.js";
import { t } from "../texts.js";
import { Chart, swatch } from "./chart.js";

export class CompareCharts {
  #charts = new Map();
  #legends = [];
  element = h("section", { class: "card-section compare-charts", "aria-label": t("print.charts") });

  /** `columns` as the table gets them. */
  show(columns) {
    for (const name of ["cash", "break-even"]) {
      const lines = columns.map(({ name: label, outputs }, index) => {
        const chart = chartsOf(outputs).find((entry) => entry.name === name);
        return { line: { ...chart.lines[0], key: `line-${index}`, label }, marks: chart.marks.map((mark) => ({ ...mark, line: `line-${index}` })) };
      });
      this.#chart(name, columns).show({ name, lines: lines.map(({ line }) => line), marks: lines.flatMap(({ marks }) => marks) });
    }
  }

  #chart(name, columns) {
    if (!this.#charts.has(name)) {
      const chart = new Chart(name, { height: 230 });
      const legend = h("span", { class: "lines-legend", "aria-hidden": "true" });
      this.#charts.set(name, chart);
      this.#legends.push(legend);
      this.element.append(h("figure", {}, h("figcaption", {}, h("h2", {}, t(`chart.${name}`)), legend), chart.element));
    }
    for (const legend of this.#legends) legend.replaceChildren(...columns.map((column, index) => h("span", { dir: "auto" }, swatch(`line-${index}`), column.name)));
    return this.#charts.get(name);
  }
}
