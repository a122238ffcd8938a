/** What each number of the plan moves: a tornado chart of one result, and for a weak plan the strongest numbers its owner decides. */
import { h, icon, put, s } from "../dom.js";
import { formatDollars, formatValue } from "../format.js";
import { errorText } from "../errors.js";
import { directionOf, formatMetric, metricLabel, metricNames } from "../metrics.js";
import { t } from "../texts.js";

const SHOWN = 10;
const STRONGEST = 3;
const WEAK_COVERAGE = 1.15;
const WIDTH = 320;
/** A metric in dollars of which more is better. */
const EARNINGS = "projectedAnnualRevenueYear1";

/** The result that makes a plan weak, or null. The rule is the server's. */
export function weakMetric({ dscrYear1: cover, fiveYearRoiPct: roi, paybackMonth: payback }) {
  if (cover !== null && cover < WEAK_COVERAGE) return "dscrYear1";
  if (roi !== null && roi < 0) return "fiveYearRoiPct";
  return payback === null ? "fiveYearOwnerCashFlow" : null;
}

export class Levers {
  #workspace;
  #client;
  #tryOut;
  #metric = h("select", { id: "lever-metric", onchange: () => this.#load() });
  #step = h("select", { id: "lever-step", onchange: () => this.#load() }, [5, 10, 20, 50].map((step) => h("option", { value: String(step), selected: step === 10 }, `±${step}%`)));
  #note = h("p", { class: "soft", role: "status" });
  #list = h("ol", { class: "tornado" });
  #more = h("div", {});
  #weak = h("div", {});
  #isWhole = false;
  #asked = 0;

  /** `tryOut(path, value)` takes a value over into the what-if. */
  constructor(workspace, client, { tryOut }) {
    this.#workspace = workspace;
    this.#client = client;
    this.#tryOut = tryOut;
    this.element = h("section", { class: "card-section", "aria-labelledby": "levers-title" },
      h("h2", { id: "levers-title" }, t("levers.title")), this.#weak,
      h("div", { class: "choices" },
        h("label", {}, h("span", {}, t("levers.metric")), h("div", { class: "select" }, this.#metric)),
        h("label", {}, h("span", {}, t("levers.step")), h("div", { class: "select" }, this.#step))),
      this.#note, this.#list, this.#more);
  }

  /** Reads again what moves the plan as it is now. */
  async update() {
    const { metrics } = this.#workspace.outputs;
    const chosen = this.#metric.value || weakMetric(metrics) || "dscrYear1";
    put(this.#metric, metricNames().filter((name) => name in metrics).map((name) => h("option", { value: name, selected: name === chosen }, metricLabel(name))));
    await Promise.all([this.#load(), this.#loadWeak(weakMetric(metrics))]);
  }

  async #load() {
    const asked = (this.#asked += 1);
    try {
      const found = await this.#client.sensitivity(this.#workspace.planId, { metric: this.#metric.value, step: Number(this.#step.value) });
      if (asked === this.#asked) this.#show(found);
    } catch (error) {
      if (asked === this.#asked && error.status !== 401) put(this.#note, errorText(error));
    }
  }

  #show(found) {
    const { metric, base, items, say } = byEarnings(found);
    const moving = items.filter(({ low, high }) => low.result !== base || high.result !== base);
    const shown = this.#isWhole ? moving : moving.slice(0, SHOWN);
    const results = moving.flatMap(({ low, high }) => [low.result, high.result]).concat(base).filter((value) => value !== null);
    const scale = { from: Math.min(...results), to: Math.max(...results), base };
    put(this.#note, moving.length === 0 ? t("levers.none") : t(found.earningsOfYear ? "levers.earnings" : "levers.about", { metric: metricLabel(found.metric), year: found.earningsOfYear, value: say(base) }));
    put(this.#list, shown.map((item) => this.#row(metric, item, scale, say)));
    put(this.#more, moving.length > SHOWN && h("button", { type: "button", class: "link", "aria-expanded": String(this.#isWhole), onclick: () => {
      this.#isWhole = !this.#isWhole;
      this.#show(found);
      this.#more.querySelector("button").focus();
    } }, this.#isWhole ? t("levers.fewer") : t("levers.all", { count: moving.length })));
  }

  #row(metric, item, scale, say) {
    const field = this.#workspace.field(item.path);
    const end = ({ value, result }) => h("span", { class: `lever-end ${directionOf(metric, scale.base, result)}` }, t("levers.end", { value: formatValue(field?.kind, value), result: say(result) }));
    const label = field?.label ?? item.label;
    return h("li", { "data-lever": item.path },
      h("span", { class: "lever-name", dir: "auto" }, label),
      bars(metric, item, scale),
      h("span", { class: "lever-ends" }, ends(metric, item).map(end)),
      h("button", { type: "button", class: "link", "aria-label": t("levers.try.label", { field: label }), onclick: () => this.#tryOut(item.path, null) }, t("levers.try")));
  }

  /** A weak plan's strongest numbers among those the owner decides, each moved the way that helps. */
  async #loadWeak(metric) {
    if (metric === null) return void put(this.#weak);
    const { planId, outputs } = this.#workspace;
    const found = await this.#client.sensitivity(planId, { metric, step: 10 }).catch(() => null);
    if (planId !== this.#workspace.planId || !found) return;
    const { items, say } = byEarnings(found);
    const year = found.earningsOfYear;
    // Which side may be named is the server's to say: a larger loan or less cash is no way out.
    const levers = items.filter(({ controlled, helps }) => controlled && helps).map((item) => ({ item, end: item[item.helps] })).slice(0, STRONGEST);
    put(this.#weak, (levers.length > 0 || year) && h("div", { class: "weak", "data-weak": metric },
      h("p", {}, icon("warning"), h("span", {}, year ? t("weak.earnings", { year, value: formatDollars(found.earnings) }) : t(`weak.${metric}`, { value: formatMetric(metric, outputs.metrics[metric]) }))),
      h("ul", {}, levers.map(({ item, end }) => {
        const field = this.#workspace.field(item.path);
        const current = this.#workspace.inputs[item.path]?.currentValue;
        return h("li", {}, h("span", {}, t("weak.lever", { field: field?.label ?? item.label, value: formatValue(field?.kind, end.value), now: formatValue(field?.kind, current), metric: year ? t("levers.earnings.name", { year }) : metricLabel(metric), result: say(end.result) })),
          h("button", { type: "button", class: "link", "aria-label": t("levers.try.label", { field: field?.label ?? item.label }), onclick: () => this.#tryOut(item.path, end.value) }, t("levers.try")));
      }))));
  }
}

/** What is drawn: where nothing covers the loan, the earnings of the year instead of a ratio that orders nothing. */
function byEarnings({ metric, base, earningsOfYear, earnings, items }) {
  if (!earningsOfYear) return { metric, base, items, say: (value) => formatMetric(metric, value) };
  const side = ({ value, earnings: result }) => ({ value, result });
  return { metric: EARNINGS, base: earnings, say: formatDollars, items: items.map((item) => ({ ...item, low: side(item.low), high: side(item.high) })) };
}

/** Both ends, the lower result first, as the bars are drawn. */
function ends(metric, { low, high }) {
  return directionOf(metric, low.result, high.result) === directionOf(metric, 0, 1) || low.result === high.result ? [low, high] : [high, low];
}

/** A bar from the plan's own result to each end. */
function bars(metric, { low, high }, { from, to, base }) {
  const x = (value) => ((value - from) / (to - from || 1)) * (WIDTH - 4) + 2;
  const start = x(base ?? from);
  const bar = ({ result }) => {
    if (result === null) return false;
    const end = x(result);
    return s("rect", { class: `lever-bar ${directionOf(metric, base, result)}`, x: Math.min(start, end).toFixed(1), y: 2, width: Math.max(1, Math.abs(end - start)).toFixed(1), height: 14, rx: 2 });
  };
  return s("svg", { class: "lever-bars", viewBox: `0 0 ${WIDTH} 18`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
    bar(low), bar(high), s("line", { class: "lever-base", x1: start.toFixed(1), x2: start.toFixed(1), y1: 0, y2: 18 }));
}

