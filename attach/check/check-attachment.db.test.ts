import { afterEach, beforeEach, expect, test } from "vitest";
import { ATTACH_SCHEMA } from "../contract/columns";
import { openForeign } from "../connection";
import { PRESETS } from "../presets";
import { cap } from "../presets/cap";
import { CAP_TABLES } from "../presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "../testing/foreign-database";
import { checkAttachment } from "./check-attachment";
import { checkLoad } from "./check-running";

let database: ForeignDatabase;

beforeEach(async () => {
  database = await createForeignDatabase(CAP_TABLES);
});

afterEach(() => database.drop());

const check = async () => checkAttachment(await database.open(), ATTACH_SCHEMA, PRESETS);
const wrong = async () => (await check()).filter(({ state }) => state !== "ok");

test("what was never installed is said so", async () => {
  expect(await check()).toEqual([
    { state: "wrong", text: "There is no schema onceboard_attach: run what onceboard attach PRESET --print writes." },
  ]);
});

test("an installation that is as it should be has nothing wrong", async () => {
  await database.install(cap, { time_zone: "UTC" });
  const findings = await check();
  expect(findings.map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => "ok"));
});

test("a right that it should not have is named with what takes it back, and the statement does", async () => {
  await database.install(cap, { time_zone: "UTC" });
  await database.run(
    `grant usage on schema cap to ${database.role}; grant update on cap.published to ${database.role}`,
  );
  const [finding] = await wrong();
  expect(finding?.text).toBe(`${database.role} may change cap.published: it needs no right on any table.`);
  await database.run(finding?.mend ?? "");
  expect(await wrong()).toEqual([]);
});

test("a right that is missing is named with what gives it, and the statement does", async () => {
  await database.install(cap, { time_zone: "UTC" });
  await database.run(
    `revoke select on onceboard_attach.dead from ${database.role}; revoke execute on function onceboard_attach.requeue(text) from ${database.role}`,
  );
  const findings = await wrong();
  expect(findings.map(({ text }) => text)).toEqual([
    `${database.role} may not execute requeue, which was installed for acting.`,
    "dead cannot be read: permission denied for view dead.",
  ]);
  for (const { mend } of findings) await database.run(mend ?? "");
  expect(await wrong()).toEqual([]);
});

test("times from the future say that the zone is wrong", async () => {
  await database.install(cap, { time_zone: "America/New_York" });
  await database.run(
    `insert into cap.published values (1, 'v1', 'orders.paid', '{}', 0, now() at time zone 'UTC', null, 'Scheduled')`,
  );
  expect((await wrong()).map(({ text }) => text)).toEqual([
    "outgoing: out:1 is from the future: the time zone given is not the one of these tables.",
  ]);
});

test("a state that nobody knows is told, and is no fault of the installation", async () => {
  await database.install(cap, { time_zone: "UTC" });
  await database.run(
    `insert into cap.received values (1, 'v1', 'orders.paid', 'g', '{}', 0, now() at time zone 'UTC', null, 'Parked')`,
  );
  expect(await wrong()).toEqual([
    {
      state: "note",
      text: "incoming: 1 of the newest 1 rows are in a state that the preset does not know, such as Parked.",
    },
  ]);
});

test("an older installation is told to be made again", async () => {
  await database.install(cap, { time_zone: "UTC" });
  await database.run(
    `do $$ begin execute format('comment on schema onceboard_attach is %L', replace(obj_description('onceboard_attach'::regnamespace), '"revision":${String(cap.revision)}', '"revision":99')); end $$`,
  );
  expect((await wrong()).map(({ text }) => text)).toEqual([
    "Installed by a newer version: revision 99 of CAP, this one writes 2.",
  ]);
});

test("what was installed before the functions of a preset changed is told to be installed again", async () => {
  await database.install(cap, { time_zone: "UTC" });
  const says = (change: string): Promise<unknown> =>
    database.run(
      `do $$ begin execute format('comment on schema onceboard_attach is %L', ${change.replaceAll("SAID", "obj_description('onceboard_attach'::regnamespace)")}); end $$`,
    );
  await says(`replace(SAID, '"revision":2', '"revision":1')`);
  expect(await wrong()).toEqual([
    {
      state: "wrong",
      text: "Installed by an older version: revision 1 of CAP, this one writes 2.",
      mend: "npx onceboard attach cap --print",
    },
  ]);
  await says(`replace(SAID, '"preset":"cap"', '"preset":"mapped-messages"')`);
  expect(await wrong()).toEqual([
    {
      state: "wrong",
      text: "Installed by an older version: revision 1 of mapped-messages, this one writes 2.",
      mend: "npx onceboard attach mapped --map FILE --print",
    },
  ]);
});

test("a clock that is more than five seconds away is told, from either side", async () => {
  await database.install(cap, { time_zone: "UTC" });
  const foreign = await database.open();
  const at = async (aheadMs: number): Promise<string> => {
    const clock = { of: "the database of Onceboard", now: () => Promise.resolve(Date.now() - aheadMs) };
    const findings = await checkAttachment(foreign, ATTACH_SCHEMA, PRESETS, clock);
    const clocks = findings.filter(({ text }) => text.startsWith("Its clock"));
    return clocks.map(({ state, text }) => `${state}: ${text}`).join();
  };
  expect(await at(0)).toMatch(
    /^ok: Its clock and that of the database of Onceboard are \d\.\d s apart \(at most 5 s\)\.$/,
  );
  expect(await at(60_000)).toMatch(
    /^note: Its clock is (59|60)\.\d s ahead of that of the database of Onceboard \(at most 5 s\): times here are off by as much\. Set both by NTP\.$/,
  );
  expect(await at(-60_000)).toMatch(/^note: Its clock is (59|60)\.\d s behind that of the database of Onceboard /);
});

test("a statement of ours that waits for a row is told while it waits", async () => {
  await database.install(cap, { time_zone: "UTC" });
  const release = await database.hold("lock table cap.published in access exclusive mode");
  const foreign = await database.open();
  const waits = foreign.query("select count(*) from onceboard_attach.outgoing");
  const loads = async (): Promise<string> => (await checkLoad(foreign)).text;
  await expect
    .poll(loads)
    .toBe(`Of ${database.role} there are now 1 waiting for a lock: their database is busy, or somebody holds a row.`);
  await release();
  await waits;
  expect(await loads()).toBe(`No statement of ${database.role} runs for longer than 2 s or waits for a lock now.`);
});

test("a superuser is refused, and so is an address where nobody answers", async () => {
  await expect(openForeign(process.env["DATABASE_URL_TEST"] ?? "")).rejects.toMatchObject({ code: "attach.superuser" });
  await expect(openForeign("postgres://nobody:secret-of-theirs@127.0.0.1:1/none")).rejects.toSatisfy(
    (error: Error & { code: string }) =>
      error.code === "attach.unreachable" && !error.message.includes("secret-of-theirs"),
  );
});
