// Runs the modules of the island that need no browser: node island.mjs FOLDER CHECK
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, what] = process.argv.slice(2);
// Without a package around them, older versions of Node.js take the modules for CommonJS.
const copy = await mkdtemp(join(tmpdir(), "flashcards-"));
await cp(folder, copy, { recursive: true });
await writeFile(join(copy, "package.json"), '{"type":"module"}');
const load = (name) => import(pathToFileURL(join(copy, name)).href);
const hour = 3_600_000;

const checks = {
  async days() {
    const { boundsOf, dayOf } = await load("days.js");
    const at = Date.parse;
    for (const [zone, day, start, end, hours] of [
      ["America/Toronto", "2026-11-26", "2026-11-26T05:00:00Z", "2026-11-27T05:00:00Z", 24],
      // Clocks are set back in autumn and forward in spring.
      ["America/Toronto", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", 25],
      ["America/Toronto", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", 23],
      ["Europe/Paris", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25],
      // Half an hour.
      ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z", 24.5],
      // The day begins at one o'clock.
      ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z", 23],
      ["Asia/Kolkata", "2026-03-29", "2026-03-28T18:30:00Z", "2026-03-29T18:30:00Z", 24],
    ]) {
      assert.equal((at(end) - at(start)) / hour, hours);
      for (const now of [at(start), at(start) + 1, at(start) + 90 * 60_000 + 7, at(end) - 1, (at(start) + at(end)) / 2]) {
        assert.equal(dayOf(now, zone), day);
        assert.deepEqual(boundsOf(now, zone), { start: at(start), end: at(end) }, `${zone} at ${new Date(now).toISOString()}`);
      }
    }
  },

  async replay() {
    const { replayed } = await load("replay.js");
    const { reviewed } = await load("fsrs.js");
    const start = Date.parse("2026-11-26T15:00:00Z");
    const first = reviewed(null, 3, start);
    const second = reviewed(first, 1, start + hour);
    const good = { id: "1", card: "a", rating: 3, at: start, before: null };
    const again = { id: "2", card: "a", rating: 1, at: start + hour, before: first };
    const undone = (one) => ({ ...one, isUndone: true });
    assert.deepEqual(replayed(null, []), null);
    assert.deepEqual(replayed(null, [good, again]), second, "ratings that the server has not received");
    assert.deepEqual(replayed(first, [good, again]), second);
    assert.deepEqual(replayed(second, [good, again]), second, "ratings that the server knew count once");
    // Taken back, while the page knows none, one or both of them.
    for (const known of [first, second]) assert.deepEqual(replayed(known, [good, undone(again)]), first);
    for (const known of [null, first, second]) assert.deepEqual(replayed(known, [undone(good), undone(again)]), null);
    const easy = { id: "3", card: "a", rating: 4, at: start + 2 * hour, before: first };
    assert.deepEqual(replayed(second, [good, undone(again), easy]), reviewed(first, 4, easy.at), "another rating after it");
    const other = reviewed(second, 3, start + 3 * hour);
    assert.deepEqual(replayed(other, [good, undone(again)]), other, "another device rated later, and the server computed it");
    const { before, ...old } = undone(again);
    assert.deepEqual(replayed(second, [good, old]), second, "a rating of an older version");
  },
};

try {
  await checks[what]();
} finally {
  await rm(copy, { recursive: true });
}
