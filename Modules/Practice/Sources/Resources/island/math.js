// The math quiz: one task at a time, with levels that follow the child. A wrong answer shows a way to the right one.
import { element, icon } from "pinktower/core.js";
import { materials, shownNumber, tokens } from "./pictures.js";
import { answered, begin, current, done } from "./round.js";
import { bracketed, equals, follow, fresh, highest, kinds, lowest, number, size, text, way } from "./sums.js";

/** @typedef {import("./sums.js").Kind} Kind */
/** @typedef {import("./sums.js").Task} Task */

/**
 * The sign of each kind of task.
 * @type {Record<Kind, string>}
 */
const signs = { addition: "+", subtraction: "−", multiplication: "×", division: "÷", fractions: "½", decimals: "0.1", order: "( )" };

export class MathQuiz {
  /** @param {import("./bench.js").Bench} bench */
  constructor(bench) {
    this.bench = bench;
    this.renew();
  }

  /** @type {import("./round.js").Round<Task> | null} */
  round = null;
  /** @type {Kind} */
  kind = "addition";
  /** The step of the present task. */
  place = 0;
  /** Whether a step of the present task was wrong. */
  isMissed = false;
  begun = 0;

  stop() {}

  /** The decimal mark of the reader's language. */
  get mark() {
    return this.bench.properties.language === "fr" ? "," : ".";
  }

  /** @param {Kind} kind */
  level(kind) {
    const known = this.bench.memory.levels[kind] ?? { level: 1, run: 0, slips: 0, at: 0 };
    return { ...known, level: Math.max(1, Math.min(highest[kind], known.level)) };
  }

  /** Shows the kinds of tasks. */
  renew() {
    const { bench } = this;
    bench.isBusy = false;
    bench.sent = "";
    bench.show(element("h2", "pt-hidden", bench.say("kinds")), bench.tiles(
      kinds.map((kind) => bench.tile(signs[kind].replace(".", this.mark), bench.say("kind." + kind),
        bench.say("level", { level: this.level(kind).level, all: highest[kind] }), () => this.start(kind))), bench.say("kinds")));
  }

  /** @param {Kind} kind */
  start(kind) {
    this.kind = kind;
    this.bench.isBusy = true;
    this.bench.sent = "";
    this.begun = performance.now();
    // Later tasks are made when their turn comes, at the level of that moment.
    /** @type {Task[]} */
    const tasks = [];
    for (let count = 0; count < size; count += 1) tasks.push(fresh(kind, this.level(kind).level, Math.random, tasks));
    this.round = begin(tasks);
    this.place = 0;
    this.isMissed = false;
    this.ask("");
  }

  /**
   * @param {string} before what to say of the task before
   */
  ask(before) {
    const { bench, round } = this;
    const one = round && current(round);
    if (!round) return;
    if (!one) return this.end();
    const step = one.steps[this.place];
    const { tokens: shown, active } = bracketed(step);
    const isPart = active[1] - active[0] < shown.length;
    const sum = tokens(shown, this.mark, isPart ? active : null);
    sum.id = "pt-pr-sum";
    const field = this.field(() => this.check(one, field));
    bench.show(bench.top(done(round), round.asked, () => this.renew()),
      element("section", "pt-card pt-card--roomy pt-pr__card", element("div", "pt-halves",
        element("div", "pt-pr__side", element("p", "pt-pr__before", before), element("h2", "pt-hidden", bench.say("workOut")),
          element("div", "pt-pr__sum", sum, ...(isPart ? [] : [element("span", "", "=")])),
          ...(isPart ? [element("p", "pt-pr__note t-muted", bench.say("bracketFirst"))] : []), field),
        element("div", "pt-pr__side", this.pad(field), bench.primary(bench.say("check"), () => this.check(one, field))))));
    if (before) bench.tell(before);
  }

  /** @param {() => void} enter */
  field(enter) {
    const made = this.bench.field(this.bench.say("answer"), enter);
    // The page has keys of its own, so that the keyboard of the screen does not cover the task.
    made.inputMode = "none";
    made.maxLength = 12;
    made.setAttribute("aria-describedby", "pt-pr-sum");
    made.classList.add("pt-pr__field--number");
    return made;
  }

  /** @param {HTMLInputElement} field */
  pad(field) {
    const { bench } = this;
    const extra = this.kind === "fractions" ? "/" : this.kind === "decimals" ? this.mark : "";
    const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", extra, "0", "back"].map((name) => {
      if (!name) return element("span", "");
      const key = element("button", "pt-pr__key", name === "back" ? icon("backspace", "") : name);
      key.type = "button";
      if (name === "back") key.setAttribute("aria-label", bench.say("back"));
      if (name === "/") key.setAttribute("aria-label", bench.say("over"));
      // The field keeps the focus, so that a keyboard can go on.
      key.addEventListener("pointerdown", (event) => event.preventDefault());
      key.addEventListener("click", () => {
        field.value = name === "back" ? field.value.slice(0, -1) : (field.value + name).slice(0, field.maxLength);
      });
      return key;
    });
    const pad = element("div", "pt-pr__pad", ...keys);
    pad.setAttribute("role", "group");
    pad.setAttribute("aria-label", bench.say("pad"));
    return pad;
  }

  /** @param {Task} one @param {HTMLInputElement} field */
  check(one, field) {
    const { bench } = this;
    const given = number(field.value);
    if (!given) {
      bench.tell(bench.say("noNumber"));
      return field.focus();
    }
    const step = one.steps[this.place];
    if (!equals(given, step.answer)) {
      this.isMissed = true;
      return this.showWay(one, field.value);
    }
    this.go(one, bench.say("rightNumber", { number: field.value.trim() }));
  }

  /**
   * Goes on after a right answer.
   * @param {Task} one @param {string} before
   */
  go(one, before) {
    const { round, kind, bench } = this;
    if (!round) return;
    if (this.place + 1 < one.steps.length) {
      this.place += 1;
      return this.ask(before);
    }
    const isFirst = !round.rest[0].misses;
    this.round = answered(round, !this.isMissed);
    if (isFirst) {
      const next = { ...follow(this.level(kind), !this.isMissed, highest[kind]), at: Date.now() };
      const isNew = next.level !== this.level(kind).level;
      bench.remember((memory) => (memory.levels[kind] = next));
      if (isNew) this.refill(next.level);
    }
    this.place = 0;
    this.isMissed = false;
    this.ask(before);
  }

  /**
   * Replaces the tasks that were not shown yet by those of another level.
   * @param {number} level
   */
  refill(level) {
    const { round } = this;
    if (!round) return;
    const known = round.rest.map(({ item }) => item);
    for (const entry of round.rest) if (!entry.misses) entry.item = fresh(this.kind, level, Math.random, known);
  }

  /**
   * Shows a way, and asks for the answer again.
   * @param {Task} one @param {string} typed
   */
  showWay(one, typed) {
    const { bench, round } = this;
    if (!round) return;
    const step = one.steps[this.place];
    const { tokens: shown } = bracketed(step);
    const found = way(one, this.place);
    const lines = element("ol", "pt-pr__lines", ...found.lines.map((line) => element("li", "", tokens(line, this.mark, null))));
    lines.setAttribute("aria-label", bench.say("way"));
    const sum = tokens(shown, this.mark, null);
    sum.id = "pt-pr-sum";
    const field = this.field(() => again());
    const again = () => {
      const given = number(field.value);
      if (!given) return field.focus();
      if (equals(given, step.answer)) return this.go(one, bench.say("rightNumber", { number: field.value.trim() }));
      note.textContent = bench.say("notYet", { number: field.value.trim() });
      field.value = "";
      field.focus();
    };
    const note = element("p", "pt-pr__note t-muted", bench.say("notYet", { number: typed.trim() }));
    note.setAttribute("role", "status");
    const picture = materials(found);
    bench.show(bench.top(done(round), round.asked, () => this.renew()),
      element("section", "pt-card pt-card--roomy pt-pr__card", element("div", "pt-halves",
        element("div", "pt-pr__side", element("h2", "t-title3", bench.say("way")), element("div", "pt-pr__sum pt-pr__sum--small", sum),
          ...(picture ? [picture] : []), lines),
        element("div", "pt-pr__side", note, field, this.pad(field),
          element("div", "pt-pr__acts", bench.primary(bench.say("check"), again), bench.quiet(bench.say("next"), () => this.go(one, "")))))));
    bench.tell(bench.say("notYet", { number: typed.trim() }) + " " + bench.say("answerIs", { number: shownNumber(lowest(step.answer), this.mark) }));
  }

  end() {
    const { bench, round, kind } = this;
    if (!round) return;
    const { level } = this.level(kind);
    // Later than the round that the server will have, so that the answers in a row go on counting on this device.
    bench.remember((memory) => (memory.levels[kind] = { ...this.level(kind), at: Date.now() + 1000 }));
    bench.finish({
      kind, level, asked: round.asked, correct: round.right, seconds: Math.round((performance.now() - this.begun) / 1000),
      missed: round.missed.map((one) => text(one).replaceAll(".", this.mark)),
    }, [bench.count("atOnce", round.asked, { right: round.right }), bench.say("nextLevel", { level, kind: bench.say("kind." + kind) })],
    () => this.start(kind), () => this.renew());
  }
}
