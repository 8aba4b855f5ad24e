import { afterEach, beforeEach, expect, test } from "vitest";
import { ATTACH_SCHEMA } from "../contract/columns";
import { openForeign } from "../connection";
import { PRESETS } from "../presets";
import { cap } from "../presets/cap";
import { CAP_TABLES } from "../presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "../testing/foreign-database";
import { checkAttachment } from "./check-attachment";

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
  expect(findings.map(({ state }) => state)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
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
    "Installed by a newer version: revision 99 of CAP, this one writes 1.",
  ]);
});

test("a superuser is refused, and so is an address where nobody answers", async () => {
  await expect(openForeign(process.env["DATABASE_URL_TEST"] ?? "")).rejects.toMatchObject({ code: "attach.superuser" });
  await expect(openForeign("postgres://nobody:secret-of-theirs@127.0.0.1:1/none")).rejects.toSatisfy(
    (error: Error & { code: string }) =>
      error.code === "attach.unreachable" && !error.message.includes("secret-of-theirs"),
  );
});
