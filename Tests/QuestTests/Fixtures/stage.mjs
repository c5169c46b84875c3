// Runs the modules of the stage that need no browser: `node stage.mjs <folder of the island> <what> [file]`.
// Ends with 1 and a line for each thing that is not as it should be.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const [folder, what, file] = process.argv.slice(2);

/** The island's modules are a browser's: without a package around them node would take them for its own older kind. */
const load = async (name) =>
  import("data:text/javascript," + encodeURIComponent(await readFile(`${folder}/${name}`, "utf8")));

const checks = {
  async golden() {
    const engine = await load("engine.js");
    const table = JSON.parse(await readFile(file, "utf8"));
    assert.ok(table.scores.length > 300 && table.durations.length > 40 && table.feedback.length > 300, "the table is full");
    for (const { estimated, actual, ...expected } of table.scores) {
      assert.deepEqual(engine.score(estimated, actual), expected, `the score of ${estimated} for ${actual}`);
    }
    for (const { seconds, short, long } of table.durations) {
      assert.equal(engine.short(seconds), short, `${seconds} in short`);
      assert.equal(engine.long(seconds), long, `${seconds} in long`);
    }
    for (const one of table.feedback) {
      const result = engine.score(one.estimated, one.actual);
      const last = one.lastActual == null ? null : engine.score(one.lastEstimated, one.lastActual);
      const chosen = engine.choose(
        table.messages, result, one.isCalibration ? "calibration" : "play", engine.course(result, last),
        { id: one.lastMessage ?? null, turn: one.turn });
      assert.equal(chosen.id, one.id, JSON.stringify(one));
    }
  },

  async calibration() {
    const engine = await load("engine.js");
    assert.deepEqual([0, 1, 2, 3, 9].map(engine.isCalibration), [true, true, true, false, false]);
    assert.deepEqual([0, 1, 2, 3, 9].map(engine.calibrationLeft), [3, 2, 1, 0, 0]);
  },

  async weekdays() {
    const { weekday } = await load("engine.js");
    const at = (text, zone) => weekday(new Date(text), zone);
    assert.equal(at("2026-11-22T09:00:00Z", "Europe/Paris"), 7, "Sunday");
    assert.equal(at("2026-11-22T23:30:00Z", "Europe/Paris"), 1, "past midnight there it is Monday");
    assert.equal(at("2026-11-23T02:00:00Z", "America/Vancouver"), 7, "still Sunday there");
    // The nights on which the clocks change: 23 and 25 hours.
    assert.equal(at("2026-03-28T23:30:00Z", "Europe/Paris"), 7);
    assert.equal(at("2026-03-29T21:59:00Z", "Europe/Paris"), 7);
    assert.equal(at("2026-03-29T22:00:00Z", "Europe/Paris"), 1);
    assert.equal(at("2026-10-25T22:59:00Z", "Europe/Paris"), 7);
    assert.equal(at("2026-10-25T23:00:00Z", "Europe/Paris"), 1);
  },

  async stopwatch() {
    const { started, read, resumed, doubt } = await load("stopwatch.js");
    const begin = { wall: 1_000_000, steady: 500, page: 1 };
    const later = (wall, steady, page = 1) => ({ wall: 1_000_000 + wall, steady: 500 + steady, page });
    const after = (...moments) => moments.reduce(read, started(begin));

    assert.equal(after(later(1000, 1000), later(90_000, 90_000)).spent, 90_000, "both clocks agree");
    assert.equal(after(later(90_400, 90_000)).spent, 90_000, "a little apart is no sleep");
    assert.equal(after(later(240_000, 4000)).spent, 240_000, "the device slept");
    assert.equal(doubt(after(later(240_000, 4000))), null, "and four minutes of sleep are believed");
    assert.equal(doubt(after(later(1_500_000, 4000))), "long", "twenty-five are asked about");
    assert.equal(after(later(30_000, 30_000), later(-3_600_000, 40_000)).spent, 40_000, "the clock was set back");
    assert.equal(doubt(after(later(-3_600_000, 40_000))), null, "the other one had counted on");
    const reloaded = after(later(30_000, 30_000), { wall: 1_045_000, steady: 20, page: 2 });
    assert.equal(reloaded.spent, 45_000, "loaded again in the middle");
    assert.equal(doubt(reloaded), null);
    const both = after(later(30_000, 30_000), { wall: 400_000, steady: 20, page: 2 });
    assert.equal(both.spent, 30_000, "set back while the page was away: never less than was seen");
    assert.equal(doubt(both), "clock");
    assert.equal(after(later(30_000, 30_000), { wall: 1_040_000, steady: 0, page: 1 }).spent, 40_000, "a steady clock that began anew");
    const rested = read(resumed(after(later(10_000, 10_000)), later(300_000, 300_000)), later(305_000, 305_000));
    assert.equal(rested.spent, 15_000, "a pause counts for nothing");
    assert.equal(doubt(after(later(3_700_000, 3_700_000))), "long", "more than an hour is asked about");

    // Whatever the clocks do, time never runs backwards.
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 200; round += 1) {
      let watch = started(begin);
      for (let step = 0; step < 20; step += 1) {
        const next = read(watch, { wall: begin.wall + (random() - 0.5) * 1e8, steady: random() * 1e7, page: random() < 0.8 ? 1 : 2 });
        assert.ok(next.spent >= watch.spent && Number.isFinite(next.spent));
        watch = next;
      }
    }
  },
};

try {
  await checks[what]();
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
}
