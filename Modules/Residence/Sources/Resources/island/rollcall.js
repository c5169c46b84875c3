// The roll call of an evening, room by room. Marks and the closing go through the outbox, so that it works without a
// network; what waits is shown over what the server has.
import { button, element, icon, newKey } from "pinktower/core.js";
import { haptics, toast } from "pinktower/feedback.js";
import { refresh } from "pinktower/navigate.js";
import { drop, entries, queue } from "pinktower/outbox.js";
import { say } from "pinktower/texts.js";
import { outSheet, sheet } from "./sheets.js";

/** @typedef {"here" | "onLeave" | "out"} Status */
/** @typedef {{ status?: Status, reason?: string, saidBy?: string }} Mark */
/**
 * @typedef {object} Resident
 * @property {string} id
 * @property {string} name
 * @property {string} initials
 * @property {string} tint
 * @property {string} shape
 * @property {string} [image]
 * @property {string} [line] when the resident came in, or is due
 * @property {boolean} isLate
 * @property {string} [leave] until when the resident is on leave
 * @property {Status} [status]
 * @property {string} [reason]
 * @property {string} [saidBy]
 * @property {{ title: string, number: string }[]} calls
 */
/** @typedef {{ title: string, number: string, residents: Resident[] }} Room */
/**
 * What the server sends: `RollCallPage` of the module ResidenceModel, which the app draws too.
 * @typedef {object} Properties
 * @property {string} api the path of the roll call in the API
 * @property {string} day
 * @property {string} date the day in words
 * @property {Room[]} rooms
 * @property {string[]} reasons
 * @property {string[]} sources
 * @property {Record<string, string>} words
 */
/**
 * A command that the server has not confirmed, or whose page has not come back yet.
 * @typedef {{ key: string, isClosing: boolean, ids: string[], mark: Mark, isSynced: boolean }} Act
 */

/** @type {Record<Status, string>} */
const glyphs = { here: "check", onLeave: "calendar", out: "logout" };

/** The controls that are used next, for a keyboard whose control has gone: who is missing here, the next room, the closing. */
const nextControls = [".pt-rc__card .pt-rc__mark", '[data-key="next"]', '[data-key="close"]:not([disabled])'];

/** @param {HTMLElement} root @param {string[]} selectors of which the first that matches is focused */
function focusFirst(root, selectors) {
  for (const selector of selectors) {
    const found = root.querySelector(selector);
    if (found instanceof HTMLElement) return found.focus({ preventScroll: true });
  }
}

class RollCall extends HTMLElement {
  static observedAttributes = ["data-properties"];

  /** @type {Properties | null} */
  shown = null;
  /** @type {Act[]} */
  acts = [];
  /** The number of the room that is shown; empty before the first choice. */
  room = "";
  /** The id of the marked resident whose mark is being changed. */
  changing = "";
  /** @type {HTMLDialogElement | null} */
  dialog = null;
  /** The rooms as they were drawn last, each with what it showed: a residence of 125 rooms draws only those that change.
   * @type {Map<string, { shown: string, item: HTMLElement }>} */
  strip = new Map();
  end = () => {};

  connectedCallback() {
    const ended = new AbortController();
    this.end = () => ended.abort();
    document.addEventListener("pt-outbox", (event) => {
      const { detail } = /** @type {CustomEvent<import("pinktower/outbox.js").Progress | null>} */ (event);
      if (detail) void this.reported(detail);
    }, { signal: ended.signal });
    this.draw();
    void this.recover();
  }

  disconnectedCallback() {
    this.end();
    this.dialog?.remove();
    this.dialog = null;
  }

  attributeChangedCallback() {
    if (!this.shown) return;
    this.shown = null;
    this.strip.clear();
    // The new page has what the server had confirmed.
    this.acts = this.acts.filter((act) => !act.isSynced);
    this.draw();
  }

  /** @returns {Properties} */
  get properties() {
    return (this.shown ??= JSON.parse(this.dataset.properties ?? "{}"));
  }

  /** @param {string} name @param {Record<string, string | number>} [values] */
  word(name, values = {}) {
    return say(this.properties.words, name, values);
  }

  // --- The outbox

  /** Takes up what waits on this device since an earlier page. */
  async recover() {
    const { api, day } = this.properties;
    for (const entry of await entries()) {
      const body = /** @type {any} */ (entry.body);
      if (!entry.path.startsWith(api + "/") || body?.day !== day || this.acts.some((act) => act.key === entry.key)) continue;
      if (entry.state === "failed") await this.refused(entry);
      else {
        const { residentIds: ids = [], status, reason, saidBy } = body;
        this.acts.push({ key: entry.key, isClosing: entry.path.endsWith("/close"), ids, mark: { status, reason, saidBy }, isSynced: false });
      }
    }
    this.draw();
  }

  /** @param {import("pinktower/outbox.js").Progress} progress */
  async reported({ key, state }) {
    const act = this.acts.find((one) => one.key === key);
    if (!act || state === "pending") return;
    if (state === "synced") act.isSynced = true;
    else this.acts = this.acts.filter((one) => one !== act);
    if (state === "failed") {
      const entry = (await entries()).find((one) => one.key === key);
      if (entry) await this.refused(entry);
    }
    // The page of a closed roll call takes the place of this one, which need not be drawn again.
    if (act.isClosing && act.isSynced) {
      void refresh();
      return;
    }
    this.draw();
    // One page for all marks that were sent together.
    if (act.isClosing || this.acts.every((one) => one.isSynced)) void refresh(act.isClosing ? undefined : "live");
  }

  /**
   * Says why the server refused a command, and removes it: another warden closed the roll call, or a resident is missing.
   * @param {import("pinktower/outbox.js").Entry} entry
   */
  async refused(entry) {
    toast(entry.sentence, "failure");
    await drop(entry);
  }

  /** @param {string} path @param {Resident[]} residents @param {Mark} mark @param {string} label */
  async send(path, residents, mark, label) {
    const { api, day } = this.properties;
    const ids = residents.map((one) => one.id);
    const act = { key: newKey(), isClosing: path === "close", ids, mark, isSynced: false };
    const body = act.isClosing ? { day } : { day, residentIds: ids, ...mark, recordedAt: new Date().toISOString() };
    // Shown when it is stored, so that what is shown is still there after a reload.
    await queue({ path: `${api}/${path}`, body, key: act.key, label, about: this.properties.date });
    this.acts.push(act);
    this.changing = "";
    this.draw();
  }

  // --- Marks

  /** @param {Resident} resident @returns {Mark & { isPending: boolean }} */
  mark(resident) {
    const { status, reason, saidBy } = resident;
    const act = this.acts.filter((one) => one.ids.includes(resident.id)).at(-1);
    if (!act) return { status, reason, saidBy, isPending: false };
    // A mark that is taken back leaves approved leave.
    const mark = act.mark.status || !resident.leave ? act.mark : { status: /** @type {Status} */ ("onLeave") };
    return { ...mark, isPending: !act.isSynced };
  }

  /** @param {Room} room */
  missing(room) {
    return room.residents.filter((one) => !this.mark(one).status);
  }

  get everyone() {
    return this.properties.rooms.flatMap((room) => room.residents);
  }

  /** @param {Resident} resident @param {Status | undefined} status */
  choose(resident, status) {
    haptics("lightTap");
    if (status !== "out") {
      void this.send("notes", [resident], { status }, `${resident.name}: ${this.word(status ?? "takeBack")}`);
      return;
    }
    const { reasons, sources } = this.properties;
    const words = { title: this.word("outTitle", { name: resident.name }), reason: this.word("reason"), whoSaid: this.word("whoSaid"), save: this.word("save"), cancel: this.word("leave") };
    outSheet(words, reasons, sources, (reason, saidBy) => {
      void this.send("notes", [resident], { status: "out", reason, saidBy }, `${resident.name}: ${this.word("out")}`);
    });
  }

  close() {
    if (this.everyone.some((one) => !this.mark(one).status)) this.showGap();
    else void this.send("close", [], {}, this.word("close"));
  }

  // --- Drawing

  draw() {
    const focused = document.activeElement instanceof HTMLElement && this.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const strip = this.querySelector(".pt-rc__rooms")?.scrollLeft;
    const { rooms } = this.properties;
    const current = rooms.find((room) => room.number === this.room) ?? rooms.find((room) => this.missing(room).length) ?? rooms[0];
    if (!current) return;
    this.room = current.number;
    const main = element("div", "pt-rc__main pt-halves__first", this.summary(), this.roomStrip(current));
    this.replaceChildren(element("div", "pt-halves", ...this.waiting(), main, this.roomCard(current), this.dock(current)));
    const place = this.querySelector(".pt-rc__rooms");
    if (place && strip !== undefined) place.scrollLeft = strip;
    if (focused) focusFirst(this, [`[data-key="${CSS.escape(focused)}"]`, ...nextControls]);
    if (this.dialog) this.showGap();
  }

  waiting() {
    const open = this.acts.filter((act) => !act.isSynced);
    if (!open.length) return [];
    const text = open.some((act) => act.isClosing) ? this.word("closing") : this.word("waits", { count: open.length });
    const line = element("p", "pt-banner pt-rc__waits pt-halves__whole", icon("cloud-off", "pt-icon--small"), text);
    line.setAttribute("role", "status");
    return [line];
  }

  summary() {
    const everyone = this.everyone;
    /** @param {Status} status */
    const count = (status) => everyone.filter((one) => this.mark(one).status === status).length;
    const [here, onLeave, out] = [count("here"), count("onLeave"), count("out")];
    const bar = element("div", "pt-rc__bar");
    bar.setAttribute("aria-hidden", "true");
    for (const [name, value] of /** @type {[string, number][]} */ ([["here", here], ["onLeave", onLeave], ["out", out]])) {
      if (!value) continue;
      const part = element("i", "");
      part.dataset.state = name;
      part.style.flexGrow = String(value);
      bar.append(part);
    }
    const rest = element("i", "");
    rest.style.flexGrow = String(everyone.length - here - onLeave - out);
    bar.append(rest);
    const isClosing = this.acts.some((act) => act.isClosing);
    const close = button(this.word("close"), here + onLeave + out === everyone.length ? "primary" : "quiet", () => this.close());
    close.prepend(icon("lock", "pt-icon--small"));
    close.dataset.key = "close";
    close.disabled = isClosing;
    const title = element("h2", "t-title1", this.word("accounted", { count: here + onLeave + out, total: everyone.length }));
    const line = element("div", "pt-rc__line", element("p", "t-callout t-muted", this.word("counts", { here, onLeave, out })), close);
    return element("section", "pt-rc__summary", element("p", "t-callout t-muted", this.properties.date), title, bar, line);
  }

  /** @param {Room} current */
  roomStrip(current) {
    const items = this.properties.rooms.map((room) => {
      const left = this.missing(room).length;
      const shown = `${left} ${room === current}`;
      const last = this.strip.get(room.number);
      if (last?.shown === shown) return last.item;
      const item = this.roomChip(room, left, room === current);
      this.strip.set(room.number, { shown, item });
      return item;
    });
    const list = element("ul", "pt-chips pt-chips--scroll pt-chips--tiles pt-rc__rooms", ...items);
    list.setAttribute("aria-label", this.word("rooms"));
    return list;
  }

  /** @param {Room} room @param {number} left @param {boolean} isCurrent */
  roomChip(room, left, isCurrent) {
    const state = left ? (left === room.residents.length ? this.word("open") : this.word("left", { count: left })) : this.word("done");
    const pictures = element("span", "pt-avatar-stack pt-only-wide", ...room.residents.slice(0, 4).map((one) => this.avatar(one, true)));
    const made = element("button", "pt-chip pt-rc__room", ...(left ? [] : [icon("check", "pt-icon--tiny")]),
      element("b", "", room.number), element("span", "pt-rc__left pt-only-narrow", left ? String(left) : ""), element("span", "pt-rc__state pt-only-wide", state), pictures);
    made.type = "button";
    made.dataset.state = left ? "open" : "done";
    made.dataset.key = "room-" + room.number;
    made.setAttribute("aria-label", `${room.title}: ${left ? this.word("left", { count: left }) : this.word("done")}`);
    if (isCurrent) made.setAttribute("aria-current", "true");
    made.addEventListener("click", () => this.show(room));
    return element("li", "", made);
  }

  /** @param {Room} room */
  show(room) {
    const isByDock = this.querySelector(".pt-rc__dock")?.contains(document.activeElement);
    this.room = room.number;
    this.changing = "";
    this.draw();
    if (isByDock) focusFirst(this, ['[data-key="all"]', ...nextControls]);
    const chip = this.querySelector(".pt-rc__rooms [aria-current]");
    chip?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** @param {Room} room */
  roomCard(room) {
    const left = this.missing(room);
    const title = element("h2", "", room.title);
    title.id = "pt-rc-room";
    const head = element("div", "pt-section-header", title);
    if (left.length > 1) {
      const all = button(this.word("allHere"), "quiet", () => {
        haptics("success");
        void this.send("notes", this.missing(room), { status: "here" }, `${room.title}: ${this.word("allHere")}`);
      });
      all.prepend(icon("checks", "pt-icon--small"));
      all.dataset.key = "all";
      head.append(all);
    }
    const list = element("ul", "pt-list pt-list--avatars", ...room.residents.map((one) => element("li", "", this.row(one))));
    list.setAttribute("aria-labelledby", title.id);
    const card = element("section", "pt-section pt-rc__card", head, list);
    card.setAttribute("aria-labelledby", title.id);
    return card;
  }

  /** @param {Resident} resident @param {boolean} [isSmall] */
  avatar({ initials, tint, shape, image }, isSmall) {
    const made = element("span", `pt-avatar pt-tint-${tint}${shape === "a" ? "" : " pt-shape-" + shape}${isSmall ? " pt-avatar--small" : ""}`);
    made.setAttribute("aria-hidden", "true");
    if (image) {
      const picture = element("img", "");
      picture.src = image;
      picture.alt = "";
      made.append(picture);
    } else made.textContent = initials;
    return made;
  }

  /** @param {Resident} resident */
  row(resident) {
    const mark = this.mark(resident);
    const said = mark.status === "out" && mark.reason ? this.word("said", { reason: mark.reason, source: mark.saidBy ?? "" }) : "";
    const line = said || (mark.status === "onLeave" && resident.leave) || resident.line || "";
    const text = element("span", "pt-list-cell__text", element("span", "pt-list-cell__title", resident.name));
    if (line) text.append(element("span", "pt-list-cell__subtitle" + (resident.isLate && !mark.status ? " pt-rc__late" : ""), line));
    const cell = element("div", "pt-list-cell", element("span", "pt-list-cell__main", this.avatar(resident), text));
    const trailing = element("div", "pt-list-cell__trailing");
    if (mark.status) trailing.append(this.pill(resident, mark.status, mark.isPending));
    else trailing.append(element("span", "pt-tag" + (resident.isLate ? " pt-tag--danger" : ""), this.word("notYet")), ...this.calls(resident));
    cell.append(trailing);
    if (!mark.status || this.changing === resident.id) cell.append(this.marks(resident, mark.status));
    return cell;
  }

  /** @param {Resident} resident @param {Status} status @param {boolean} isPending */
  pill(resident, status, isPending) {
    const made = element("button", "pt-attendance pt-rc__pill", icon(isPending ? "sync" : glyphs[status], "pt-icon--tiny"), element("span", "", this.word(status)));
    made.type = "button";
    made.dataset.state = status;
    made.dataset.key = "pill-" + resident.id;
    if (isPending) made.dataset.sync = "pending";
    made.setAttribute("aria-label", this.word("change", { name: resident.name, status: this.word(status) }));
    made.setAttribute("aria-expanded", String(this.changing === resident.id));
    made.addEventListener("click", () => {
      this.changing = this.changing === resident.id ? "" : resident.id;
      this.draw();
    });
    return made;
  }

  /** @param {Resident} resident */
  calls(resident) {
    return resident.calls.slice(0, 1).map(({ title, number }) => {
      const link = element("a", "pt-icon-button pt-icon-button--muted", icon("phone", "pt-icon--small"));
      link.href = "tel:" + number.replaceAll(/[^+\d]/g, "");
      link.setAttribute("aria-label", this.word("call", { name: title }));
      return link;
    });
  }

  /** @param {Resident} resident @param {Status | undefined} now */
  marks(resident, now) {
    /** @type {(Status | undefined)[]} */
    const choices = ["here", ...(resident.leave ? [/** @type {Status} */ ("onLeave")] : []), "out", ...(now && !resident.leave ? [undefined] : [])];
    const buttons = choices.filter((choice) => choice !== now || now === "out").map((choice) => {
      const made = element("button", "pt-rc__mark", ...(choice ? [icon(glyphs[choice], "pt-icon--small")] : []), this.word(choice ?? "takeBack"));
      made.type = "button";
      if (choice) made.dataset.state = choice;
      made.dataset.key = `${choice ?? "none"}-${resident.id}`;
      made.setAttribute("aria-label", `${resident.name}: ${this.word(choice ?? "takeBack")}`);
      made.addEventListener("click", () => this.choose(resident, choice));
      return made;
    });
    return element("div", "pt-rc__marks", ...buttons);
  }

  /** @param {Room} current */
  dock(current) {
    const { rooms } = this.properties;
    const index = rooms.indexOf(current);
    const [before, after] = [rooms[index - 1], rooms.slice(index + 1).find((room) => this.missing(room).length) ?? rooms[index + 1]];
    const dock = element("div", "pt-rc__dock pt-dock");
    if (before) {
      const back = button(before.number, "neutral", () => this.show(before));
      back.prepend(icon("chevron-left", "pt-icon--small"));
      back.classList.add("pt-button--large");
      back.dataset.key = "back";
      back.setAttribute("aria-label", `${this.word("previous")}: ${before.title}`);
      dock.append(back);
    }
    if (after) {
      const next = button(after.title, this.missing(current).length ? "tonal" : "primary", () => this.show(after));
      next.append(icon("chevron-right", "pt-icon--small"));
      next.classList.add("pt-button--large");
      next.dataset.key = "next";
      next.setAttribute("aria-label", `${this.word("next")}: ${after.title}`);
      dock.append(next);
    }
    return dock;
  }

  // --- Who is missing

  /** Lists everyone who is not accounted for, with their contacts. */
  showGap() {
    const missing = this.properties.rooms.flatMap((room) => this.missing(room).map((resident) => ({ room, resident })));
    const rows = missing.map(({ room, resident }) => {
      const text = element("span", "pt-list-cell__text", element("span", "pt-list-cell__title", resident.name),
        element("span", "pt-list-cell__subtitle", [room.title, resident.line].filter(Boolean).join(" · ")));
      const calls = resident.calls.map(({ title, number }) => {
        const link = element("a", "pt-button pt-button--tonal", icon("phone", "pt-icon--small"), title);
        link.href = "tel:" + number.replaceAll(/[^+\d]/g, "");
        link.setAttribute("aria-label", this.word("call", { name: title }));
        return link;
      });
      return element("li", "", element("div", "pt-list-cell", element("span", "pt-list-cell__main", this.avatar(resident), text),
        ...(calls.length ? [element("div", "pt-rc__calls", ...calls)] : []), this.marks(resident, undefined)));
    });
    const close = button(this.word("close"), "primary", () => {
      this.dialog?.close();
      this.close();
    });
    close.classList.add("pt-button--large");
    close.disabled = missing.length > 0;
    const body = [...(rows.length ? [element("ul", "pt-list pt-list--avatars", ...rows)] : []), close];
    const head = this.word("gap", { count: missing.length });
    if (this.dialog) {
      this.dialog.querySelector("h2")?.replaceChildren(head);
      this.dialog.querySelector(".pt-rc__sheetbody")?.replaceChildren(...body);
      if (document.activeElement === document.body) focusFirst(this.dialog, [".pt-rc__mark", "button:not([disabled])"]);
      return;
    }
    this.dialog = sheet(head, this.word("gapTip"), this.word("leave"), body, () => (this.dialog = null));
  }
}

if (!customElements.get("pt-rollcall")) customElements.define("pt-rollcall", RollCall);
