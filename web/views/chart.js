/**
 * A line chart over the months of a projection, drawn for the width it has, so that its text is never smaller than the
 * page's. One month can be looked at: with the pointer, or with the arrow keys, and it is read out. What was there before
 * the last change stands behind as a faint line.
 */
import { h, put, s } from "../dom.js";
import { datedMonth, formatDollars, formatShort } from "../format.js";
import { ticks } from "../chart-data.js";
import { t } from "../texts.js";

const LEFT = 56;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 26;
const MONTHS = 60;

/** A piece of a line as the charts draw it, for legends. */
export function swatch(key) {
  return s("svg", { class: "swatch", width: 24, height: 8, "aria-hidden": "true", focusable: "false" }, s("path", { class: `chart-line ${key}`, d: "M0 4H24" }));
}

export class Chart {
  #chart = null;
  #before = null;
  #month = MONTHS;
  #drawing = h("div", { class: "chart-drawing" });
  #readout = h("p", { class: "chart-readout", "aria-hidden": "true" });
  #cursor = s("line", { class: "chart-cursor", hidden: "" });
  #dots = s("g", {});
  #slider;
  #height;
  #width = 0;

  /** `height` in pixels; `name` is the chart's name in the API. */
  constructor(name, { height = 190 } = {}) {
    this.#height = height;
    this.#slider = h("div", {
      class: "chart-slider", role: "slider", tabindex: "0", "aria-label": t(`chart.${name}`), "aria-valuemin": "0", "aria-valuemax": String(MONTHS),
      onkeydown: (event) => this.#key(event), onpointermove: (event) => this.#point(event), onpointerdown: (event) => this.#point(event),
      onpointerleave: () => this.#leave(), onfocus: () => this.#look(this.#month), onblur: () => this.#leave(),
    }, this.#drawing);
    this.element = h("div", { class: "chart", "data-chart": name }, this.#slider, this.#readout);
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (width === this.#width) return;
      this.#width = width;
      this.#draw();
    }).observe(this.#slider);
  }

  /** Shows a chart of `chartsOf`; `before` is the same one as it was. */
  show(chart, before = null) {
    this.#chart = chart;
    this.#before = before;
    this.#draw();
    this.#leave();
  }

  #draw() {
    if (!this.#chart || this.#width < 80) return;
    const { lines, marks } = this.#chart;
    const old = this.#before?.lines ?? [];
    const all = [...lines, ...old].flatMap((line) => line.points.map(([, cents]) => cents));
    const levels = ticks(Math.min(0, ...all), Math.max(0, ...all));
    this.#cursor = s("line", { class: "chart-cursor", hidden: "", y1: TOP, y2: this.#height - BOTTOM });
    this.#dots = s("g", { class: "chart-dots" });
    this.#levels = levels;
    put(this.#drawing, s("svg", { width: this.#width, height: this.#height, "aria-hidden": "true", focusable: "false" },
      levels.map((cents) => [
        s("line", { class: cents === 0 ? "chart-zero" : "chart-grid", x1: LEFT, x2: this.#width - RIGHT, y1: this.#y(cents), y2: this.#y(cents) }),
        s("text", { class: "chart-text", x: LEFT - 8, y: this.#y(cents) + 4, "text-anchor": "end" }, formatShort(cents)),
      ]),
      [1, 12, 24, 36, 48, 60].map((month) => s("text", { class: "chart-text", x: this.#x(month), y: this.#height - 6, "text-anchor": month === 60 ? "end" : "middle" }, String(month))),
      old.map((line) => s("path", { class: `chart-line before ${line.key}`, d: this.#path(line) })),
      lines.map((line) => s("path", { class: `chart-line ${line.key}`, d: this.#path(line) })),
      marks.map((mark) => {
        const cents = valueAt(lines.find((line) => line.key === mark.line), mark.month);
        return cents !== null && s("circle", { class: `chart-mark ${mark.key}`, cx: this.#x(mark.month), cy: this.#y(cents), r: 5 });
      }),
      this.#cursor, this.#dots));
  }

  #levels = [0];

  #x(month) {
    return Number((LEFT + (month / MONTHS) * (this.#width - LEFT - RIGHT)).toFixed(1));
  }

  #y(cents) {
    const [low, high] = [this.#levels[0], this.#levels.at(-1)];
    return Number((TOP + ((high - cents) / (high - low || 1)) * (this.#height - TOP - BOTTOM)).toFixed(1));
  }

  #path(line) {
    return line.points.map(([month, cents], index) => `${index === 0 ? "M" : "L"}${this.#x(month)} ${this.#y(cents)}`).join("");
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -12, PageUp: 12 }[event.key];
    if (step) this.#look(this.#month + step);
    else if (event.key === "Home") this.#look(0);
    else if (event.key === "End") this.#look(MONTHS);
    else return;
    event.preventDefault();
  }

  #point(event) {
    const share = (event.clientX - this.#slider.getBoundingClientRect().left - LEFT) / (this.#width - LEFT - RIGHT);
    this.#look(Math.round(share * MONTHS));
  }

  /** Shows one month and reads it out. */
  #look(wanted) {
    if (!this.#chart) return;
    const month = Math.max(this.#chart.lines[0].points[0][0], Math.min(MONTHS, wanted));
    this.#month = month;
    const words = this.#words(month);
    this.#readout.textContent = words;
    this.#slider.setAttribute("aria-valuenow", String(month));
    this.#slider.setAttribute("aria-valuetext", words);
    this.#cursor.removeAttribute("hidden");
    this.#cursor.setAttribute("x1", this.#x(month));
    this.#cursor.setAttribute("x2", this.#x(month));
    put(this.#dots, this.#chart.lines.map((line) => {
      const cents = valueAt(line, month);
      return cents !== null && s("circle", { class: `chart-dot ${line.key}`, cx: this.#x(month), cy: this.#y(cents), r: 4 });
    }));
  }

  #words(month) {
    const when = month === 0 ? t("chart.opening") : t("chart.month", { month: datedMonth(month) });
    const values = this.#chart.lines.map((line, index) => {
      const was = valueAt(this.#before?.lines[index], month);
      const now = valueAt(line, month);
      const words = line.label ? `${line.label} ${formatDollars(now)}` : t(`chart.line.${line.key}`, { value: formatDollars(now) });
      return was === null || was === now ? words : `${words} ${t("chart.was", { value: formatDollars(was) })}`;
    });
    return `${when}: ${values.join(", ")}`;
  }

  #marked({ key, month, line: lineKey }) {
    const line = this.#chart.lines.find(({ key }) => key === lineKey);
    const words = t(`chart.mark.${key}`, { month, value: formatDollars(valueAt(line, month)) });
    return line.label ? `${line.label}: ${words}` : words;
  }

  /** Without a month to look at, the read-out shows what is marked. */
  #leave() {
    if (this.#slider.matches(":focus")) return;
    this.#cursor.setAttribute("hidden", "");
    put(this.#dots);
    this.#month = this.#chart?.marks[0]?.month ?? MONTHS;
    if (!this.#chart) return;
    const words = this.#words(this.#month);
    this.#slider.setAttribute("aria-valuenow", String(this.#month));
    this.#slider.setAttribute("aria-valuetext", words);
    const marked = this.#chart.marks.map((mark) => this.#marked(mark));
    this.#readout.textContent = marked.join(" · ") || t(`chart.none.${this.#chart.name}`);
  }
}

function valueAt(line, month) {
  return line?.points.find(([at]) => at === month)?.[1] ?? null;
}
