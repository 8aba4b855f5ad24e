/**
 * `npm run test:attach`: the lists of every preset over the tables of its library with a million rows: what PostgreSQL thinks that they
 * cost, whether they are shown, and what a page takes that is. The last line is `N passed, N failed`. With `--libraries` the tests of the
 * programs in `libraries/`.
 */
import { parseArgs } from "node:util";
import { ATTACH_SCHEMA, ATTACH_VIEWS } from "@/attach/contract/columns";
import type { Preset } from "@/attach/contract/preset";
import { PRESETS } from "@/attach/presets";
import { readAttachManifest } from "@/attach/read/manifest-of";
import { constantsOf, createLibraryDatabase, LIBRARIES } from "@/attach/testing/libraries";
import { setup, teardown } from "@/db/testing/global-setup";
import { readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { markdownTable, wholeFigure } from "../shared/markdown";
import { runLibraries } from "./libraries/programs";
import { idleOf, measureView, percentile, plansOf, type MeasuredView } from "./measure";
import { multiply } from "./multiply";

const USAGE = `npm run test:attach [-- options]
  --rows N      of each table that gets long (1,000,000)
  --only a,b    presets of ${PRESETS.map(({ id }) => id).join(", ")}; all by default
  --finished S  share of the rows that are finished, 0.99 as in a business that runs well; 0, by default: as many of each state
  --plans       what PostgreSQL does for a list that fails
  --libraries   instead: the libraries themselves make and fill their tables, those whose tools this machine has`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { rows, share, only, values } = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      rows: { type: "string", default: "1000000" },
      only: { type: "string", default: "" },
      finished: { type: "string", default: "0" },
      plans: { type: "boolean", default: false },
      libraries: { type: "boolean", default: false },
    },
  });
  const share = Number(values.finished);
  if (!(share >= 0 && share <= 1)) throw new Error(`--finished must be between 0 and 1: ${values.finished}`);
  const only = values.only.split(",").filter((id) => id !== "");
  const unknown = only.find((id) => !(id in LIBRARIES));
  if (unknown !== undefined) throw new Error(`${unknown} is no preset.`);
  return { rows: wholeNumber("rows", values.rows, 100), share, only, values };
});

if (values.libraries) process.exit(runLibraries());

const measured: MeasuredView[] = [];
let broken = 0;

/** The lists of one preset, over tables of so many rows each. */
async function measurePreset(preset: Preset): Promise<void> {
  const { rows: made, long } = LIBRARIES[preset.id] ?? { rows: "", long: {} };
  const database = await createLibraryDatabase(preset.id);
  try {
    await (typeof made === "string" ? database.run(made) : made(database));
    for (const [table, like] of Object.entries(long)) await multiply(database, table, { rows, like, share });
    await database.install(preset, constantsOf(preset));
    await database.run("analyze");
    // As autovacuum leaves them sooner or later.
    for (const table of Object.keys(long)) await database.run(`vacuum (analyze) ${table}`);
    const foreign = await database.open();
    const manifest = await readAttachManifest(foreign, ATTACH_SCHEMA);
    if (manifest === undefined) throw new Error("Nothing is installed.");
    for (const view of ATTACH_VIEWS.filter((each) => manifest.views[each] !== undefined))
      await orBroken(`${preset.id} ${view}`, async () => {
        const one = await measureView({ database, foreign, manifest, rows }, view);
        measured.push(one);
        say(lineOf(one));
        if (values.plans && one.faults.length > 0) say(await plansOf(database, one));
      });
  } finally {
    await database.drop();
  }
}

/** What throws, a time limit of a statement for one, fails alone. */
async function orBroken(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    broken += 1;
    say(`FAIL ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

function lineOf({ preset, view, rows: all, first, middle, payload, faults }: MeasuredView): string {
  const placed = [first, ...(middle === undefined ? [] : [middle])].map((place, index) => {
    const shown =
      place.because === undefined
        ? `p50 ${milliseconds(place.took, 0.5)} p95 ${milliseconds(place.took, 0.95)} ms`
        : `not shown, because: ${place.because}`;
    const scanned = place.scanned.length === 0 ? "" : `, reads all of ${place.scanned.join(" and ")}`;
    return `${index === 0 ? "first" : "middle"} cost ${wholeFigure(place.cost)}${scanned}, ${shown}`;
  });
  const body = payload === undefined ? "no payload" : `payload ${payload.toFixed(1)} ms`;
  return `${faults.length === 0 ? "    " : "FAIL"} ${preset} ${view}: ${wholeFigure(all)} rows; ${placed.join("; ")}; ${body}${faults.map((fault) => `; ${fault}`).join("")}`;
}

const milliseconds = (took: readonly number[], of: number): string => percentile(took, of).toFixed(1);

function tableOf(): string {
  return markdownTable(
    [
      "Preset",
      "View",
      "Rows",
      "Cost, first page",
      "Cost, middle",
      "p95 ms of nothing",
      "p95 ms, or why it is not shown",
    ],
    measured.map(({ preset, view, rows: all, first, middle, faults }) => {
      const took = [...first.took, ...(middle?.took ?? [])];
      const because = [...new Set([first.because, middle?.because].filter((each) => each !== undefined))];
      return [
        preset,
        view,
        wholeFigure(all),
        wholeFigure(first.cost),
        middle === undefined ? "" : wholeFigure(middle.cost),
        took.length === 0 ? "" : idleOf({ first, middle }).toFixed(1),
        [...(took.length === 0 ? [] : [milliseconds(took, 0.95)]), ...because, ...faults].join("; "),
      ];
    }),
  );
}

say(
  `${wholeFigure(rows)} rows of each long table, ${share === 0 ? "as many of each state" : `${String(share * 100)} % finished`}`,
);
await setup();
try {
  for (const preset of PRESETS.filter(({ id }) => only.length === 0 || only.includes(id))) {
    const began = performance.now();
    await orBroken(preset.id, () => measurePreset(preset));
    say(`     ${preset.id}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  }
} finally {
  await teardown();
}
say(`\n${tableOf()}\n`);
const failed = broken + measured.filter(({ faults }) => faults.length > 0).length;
say(`${String(measured.length + broken - failed)} passed, ${String(failed)} failed`);
process.exit(failed === 0 ? 0 : 1);
