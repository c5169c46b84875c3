// The spelling bee: a word is heard, the child writes it, and what differs is shown letter by letter.
import { element, icon } from "pinktower/core.js";
import { visit } from "pinktower/navigate.js";
import { voiceFor } from "pinktower/speech.js";
import { choose, differences, hidden, plain, verdict } from "./letters.js";
import { answered, begin, current, done } from "./round.js";
import { vocabulary } from "./vocabulary.js";
import { hush, play, speak } from "./voice.js";

/** @typedef {import("./bench.js").List} List */
/** @typedef {import("./letters.js").Word} Word */

/** How long a word is shown where it cannot be spoken, in milliseconds: a time to begin, and one for each letter. */
const shownFor = { least: 1500, letter: 300 };

export class Spelling {
  /** @param {import("./bench.js").Bench} bench */
  constructor(bench) {
    this.bench = bench;
    const wanted = bench.properties.offered.find(({ id }) => id === bench.properties.chosen);
    if (wanted?.words) this.intro(wanted);
    else this.renew();
  }

  /** @type {List | null} */
  list = null;
  /** @type {import("./round.js").Round<Word> | null} */
  round = null;
  /** @type {SpeechSynthesisVoice | null} */
  voice = null;
  /** Whether the words of the list were shown because they cannot be heard. */
  isSilent = false;
  begun = 0;
  timer = 0;

  stop() {
    clearTimeout(this.timer);
    hush();
  }

  /** Shows the lists. */
  renew() {
    const { bench } = this;
    const { offered, language } = bench.properties;
    this.stop();
    bench.isBusy = false;
    bench.sent = "";
    const own = offered.map((list) =>
      bench.tile(icon("book", ""), list.name, [list.detail, bench.count("words", list.count)].filter(Boolean).join(" · "), () => this.open(list)));
    const { lists: ready } = vocabulary[language === "fr" ? "fr" : "en"];
    const starters = /** @type {const} */ (["easy", "medium", "hard"]).map((level, place) =>
      bench.tile(String(place + 1), bench.say("starter." + level), bench.count("words", ready[level].length), () => this.intro({
        id: "", name: bench.say("starter." + level), detail: "", language, count: ready[level].length, words: ready[level].map((word) => ({ word })),
      })));
    bench.show(
      ...(own.length ? [element("h2", "t-title3", bench.say("lists")), bench.tiles(own, bench.say("lists"))] : []),
      element("h2", "t-title3", bench.say("starters")), bench.tiles(starters, bench.say("starters")));
  }

  /** @param {List} list */
  open(list) {
    if (list.words) this.intro(list);
    // A long list is on a page of its own.
    else void visit(location.pathname + "?list=" + list.id);
  }

  /**
   * Shows a list before its first word, because browsers speak only after a tap.
   * @param {List} list
   */
  intro(list) {
    const { bench } = this;
    this.list = list;
    bench.isBusy = true;
    // The voices load while the child reads.
    void voiceFor(list.language);
    const waits = bench.memory.missed[list.id || list.name]?.words.length ?? 0;
    bench.show(element("section", "pt-card pt-card--roomy pt-pr__card", bench.heading(list.name),
      element("p", "t-muted", [bench.count("words", list.count), ...(waits ? [bench.count("waiting", waits)] : [])].join(" · ")),
      element("div", "pt-pr__acts", bench.primary(bench.say("start"), () => void this.start(list), "play"), bench.quiet(bench.say("leave"), () => this.renew()))));
  }

  /** @param {List} list */
  async start(list) {
    const { bench } = this;
    bench.isBusy = true;
    bench.sent = "";
    this.begun = performance.now();
    this.round = begin(choose(list.words ?? [], bench.memory.missed[list.id || list.name]?.words ?? [], Math.random));
    this.voice = await voiceFor(list.language);
    this.isSilent = !this.voice && !(list.words ?? []).some(({ sound }) => sound);
    this.ask("");
  }

  /**
   * @param {string} before what to say of the word before
   */
  ask(before) {
    const { bench, list, round } = this;
    const word = round && current(round);
    if (!list || !round) return;
    if (!word) return this.end();
    const field = bench.field(bench.say("yourWord"), () => this.check(word, field), () => warn(bench.say("noPaste")));
    field.lang = list.language;
    field.dir = "auto";
    const shown = element("p", "pt-pr__flash");
    [shown.lang, shown.dir] = [list.language, "auto"];
    const heard = element("p", "pt-pr__note t-muted");
    heard.setAttribute("role", "status");
    /** @param {string} text */
    const warn = (text) => (heard.textContent = text);
    /** @param {boolean} isSlow */
    const again = (isSlow) => {
      // The word is typed next.
      field.focus();
      void this.hear(word, shown, heard, isSlow);
    };
    const listen = bench.primary(bench.say(this.isSilent ? "look" : "listen"), () => again(false), this.isSilent ? "eye" : "play");
    listen.classList.replace("pt-button--primary", "pt-button--tonal");
    const slowly = this.isSilent ? [] : [bench.quiet(bench.say("slowly"), () => again(true))];
    const hint = word.hint ? [element("p", "pt-pr__hint", hidden(word, list.language))] : [];
    for (const one of hint) [one.lang, one.dir] = [list.language, "auto"];
    const check = bench.primary(bench.say("check"), () => this.check(word, field));
    bench.show(bench.top(done(round), round.asked, () => this.renew()),
      element("section", "pt-card pt-card--roomy pt-pr__card",
        element("p", "pt-pr__before", before), element("h2", "pt-hidden", bench.say("writeWord")),
        element("div", "pt-pr__acts pt-pr__listen", listen, ...slowly), shown, ...hint, field, heard, check));
    if (before) bench.tell(before);
    void this.hear(word, shown, heard, false);
  }

  /**
   * Speaks a word, or shows it for a while where it cannot be heard.
   * @param {Word} word @param {HTMLElement} shown @param {HTMLElement} note @param {boolean} slowly
   */
  async hear({ word, sound }, shown, note, slowly) {
    if (await this.isHeard({ word, sound }, slowly)) return;
    if (!shown.isConnected) return;
    note.textContent = this.bench.say("silent");
    shown.textContent = word;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => (shown.textContent = ""), shownFor.least + shownFor.letter * word.length);
  }

  /**
   * Plays the recording of a word or speaks it, and tells whether it was heard.
   * @param {Word} word @param {boolean} slowly
   */
  async isHeard({ word, sound }, slowly) {
    return (sound !== undefined && (await play(sound, slowly))) || (this.voice !== null && (await speak(word, this.voice, slowly)));
  }

  /** @param {Word} word @param {HTMLInputElement} field */
  check(word, field) {
    const { list, round, bench } = this;
    if (!list || !round) return;
    if (!plain(field.value)) return field.focus();
    const what = verdict(word.word, field.value, list.language);
    this.round = answered(round, what === "right");
    if (what === "right") this.ask(bench.say("right", { word: word.word }));
    else this.compare(word, field.value, what);
  }

  /**
   * Shows the word and what was written, and lets the child write it once more.
   * @param {Word} word @param {string} typed @param {import("./letters.js").Verdict} what
   */
  compare(word, typed, what) {
    const { bench, list, round } = this;
    if (!list || !round) return;
    const runs = differences(word.word, typed, list.language);
    /** @param {"right" | "typed"} side @param {string} title */
    const line = (side, title) => {
      const text = element("p", "pt-pr__letters", ...runs.filter((run) => run[side]).map((run) => {
        if (run.kind === "same") return run[side];
        const mark = element(side === "right" ? "ins" : "del", "", run[side]);
        mark.dataset.kind = run.kind;
        return mark;
      }));
      [text.lang, text.dir] = [list.language, "auto"];
      return element("div", "pt-pr__compare", element("span", "t-caption t-muted", title), text);
    };
    const field = bench.field(bench.say("writeAgain"), () => again(), () => (note.textContent = bench.say("noPaste")));
    [field.lang, field.dir, field.placeholder] = [list.language, "auto", bench.say("writeAgain")];
    const note = element("p", "pt-pr__note t-muted");
    note.setAttribute("role", "status");
    const again = () => {
      if (!plain(field.value)) return field.focus();
      const next = verdict(word.word, field.value, list.language);
      if (next === "right") this.ask(bench.say("right", { word: word.word }));
      else this.compare(word, field.value, next);
    };
    // The word is on the page already, so a word that cannot be heard has no button.
    const listen = !this.voice && !word.sound ? [] : [bench.quiet(bench.say("listen"), async () => {
      if (!(await this.isHeard(word, false)) && note.isConnected) note.textContent = bench.say("noVoice");
    }, "play")];
    const sentence = bench.say("verdict." + what);
    bench.show(bench.top(done(round), round.asked, () => this.renew()),
      element("section", "pt-card pt-card--roomy pt-pr__card",
        element("h2", "t-title3", sentence), line("right", bench.say("theWord")), line("typed", bench.say("youWrote")), field, note,
        element("div", "pt-pr__acts", bench.primary(bench.say("check"), again), ...listen,
          bench.quiet(bench.say("next"), () => this.ask("")))));
    bench.tell(sentence + " " + word.word);
  }

  end() {
    const { bench, list, round } = this;
    if (!list || !round) return;
    const missed = round.missed.map(({ word }) => word);
    bench.remember((memory) => (memory.missed[list.id || list.name] = { words: missed, at: Date.now() }));
    bench.finish({
      kind: list.language, level: 0, ...(list.id ? { list: list.id } : {}), listName: list.name, asked: round.asked, correct: round.right,
      seconds: Math.round((performance.now() - this.begun) / 1000), missed,
    }, [bench.count("atOnce", round.asked, { right: round.right })], () => void this.start(list), () => this.renew());
  }
}
