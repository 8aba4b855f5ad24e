import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ATTACH_SCHEMA, VIEW_STATES, type AttachView } from "@/attach/contract/columns";
import { explain } from "@/attach/read/explain";
import { rowStatement } from "@/attach/read/list-rows";
import { countStatement } from "@/attach/read/look-up";
import { cap } from "@/attach/presets/cap";
import { CAP_ROWS, CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { PRESETS } from "@/attach/presets";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { constantsOf, createLibraryDatabase, LIBRARIES } from "@/attach/testing/libraries";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { attachDatabase } from "@/console/testing/attached";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { SOURCE_STATES } from "@/presentation/sources/source-words";
import type { SourceListView, SourceRowView } from "@/presentation/views/sources";
import { findInSources } from "./find-in-sources";
import { listSource, readSourceRow } from "./list-source";
import { listSources } from "./list-sources";
import { readSource } from "./read-source";
import { sampleAttached } from "./sample-attached";

let desk: Desk;
const databases: ForeignDatabase[] = [];
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(async () => {
  await closeAttachments();
  for (const database of databases) await database.drop();
  await desk.close();
});

const admin = (tenant?: string) => desk.context("admin", tenant);

async function capDatabase(name: string, more?: (database: ForeignDatabase) => Promise<unknown>): Promise<string> {
  const database = await createForeignDatabase(CAP_TABLES);
  databases.push(database);
  await insertCapRows(database, "UTC");
  await more?.(database);
  await database.install(cap, { time_zone: "UTC" });
  return attachDatabase(admin(), name, database.url);
}

async function list(
  name: string,
  view: AttachView,
  ask: { cursor?: string | undefined; state?: string; open?: string } = {},
) {
  const found = await listSource(admin(), { name }, { view, ...ask });
  if (found === undefined) throw new Error(`${name} has no ${view}`);
  return found;
}

function rowsOf(view: SourceListView): readonly SourceRowView[] {
  if (view.page.kind !== "rows") throw new Error(view.page.because);
  return view.page.rows;
}

it("the states of the pages are those of the contract", () => {
  for (const [view, states] of Object.entries(VIEW_STATES))
    expect(new Set(SOURCE_STATES[view as AttachView])).toEqual(new Set(states));
});

describe("lists of every library, with a row in each state", () => {
  it.each(Object.keys(LIBRARIES).filter((id) => !["pg-boss-10", "graphile-worker"].includes(id)))("%s", async (id) => {
    const database = await createLibraryDatabase(id);
    const preset = PRESETS.find((each) => each.id === id);
    const library = LIBRARIES[id];
    if (preset === undefined || library === undefined) throw new Error(id);
    try {
      await (typeof library.rows === "string" ? database.run(library.rows) : library.rows(database));
      await database.install(preset, constantsOf(preset));
      const attachment = await attachDatabase(admin("globex"), `of-${id}`, database.url, id);
      const ctx = admin("globex");
      const overview = await readSource(ctx, { id: attachment }, "24h");
      expect(overview?.source).toMatchObject({ title: preset.title, preset: id });
      for (const view of overview?.source.views ?? []) {
        const page = await listSource(ctx, { id: attachment }, { view });
        const [counted] = await database.run<{ rows: string }>(`select count(*) as rows from onceboard_attach.${view}`);
        expect(page?.page.kind === "rows" && page.page.rows.length, view).toBe(Number(counted?.rows));
        for (const { name, kind, says } of page?.columns ?? []) {
          if (kind !== "stored") expect(says, name).toMatch(/\.$/);
          // What is not stored has no value in any row.
          if (kind === "not_stored" && page?.page.kind === "rows")
            expect(page.page.rows.filter((row) => row.values[name] !== undefined)).toEqual([]);
        }
      }
      await desk.rows("update onceboard.attachments set removed_at = now(), sealed = null where id = $1", attachment);
    } finally {
      await closeAttachments();
      await database.drop();
    }
  });
});

describe("one attached database", () => {
  let id: string;
  beforeAll(async () => {
    id = await capDatabase("orders-db");
  });

  it("is in the switch of its tenant and in no other", async () => {
    expect(await listSources(admin())).toContainEqual({ id, name: "orders-db" });
    expect(await listSources(admin("globex"))).not.toContainEqual({ id, name: "orders-db" });
  });

  it("shows each state as the library means it, and the row by itself", async () => {
    const view = await list("orders-db", "outgoing");
    expect(rowsOf(view).map(({ state }) => state)).toEqual(CAP_ROWS.map(({ state }) => state).toReversed());
    const [first] = rowsOf(view);
    const opened = await list("orders-db", "outgoing", { open: first?.place ?? "" });
    expect(opened.opened).toEqual({ kind: "row", row: first });
    const alone = await readSourceRow(admin(), { id }, { view: "outgoing", open: first?.place ?? "" });
    expect(alone).toEqual({ kind: "row", row: first });
    expect((await list("orders-db", "outgoing", { open: "nothing" })).opened).toEqual({ kind: "gone" });
  });

  it("names what is not stored, with the reason", async () => {
    const { columns } = await list("orders-db", "outgoing");
    expect(columns.find(({ name }) => name === "sent_at")).toEqual({
      name: "sent_at",
      kind: "not_stored",
      says: "CAP does not write when a message was sent.",
    });
  });

  it("lists the rows of one state where that is cheap", async () => {
    const dead = await list("orders-db", "incoming", { state: "dead" });
    expect(dead.whyNoFilter).toBeUndefined();
    expect(rowsOf(dead).map(({ state }) => state)).toEqual(["dead"]);
    expect(rowsOf(await list("orders-db", "incoming", { state: "sending" }))).toEqual([]);
  });

  it("has no list that its tables cannot fill, and is not found in another tenant or under another name", async () => {
    expect(await listSource(admin(), { name: "orders-db" }, { view: "keys" })).toBeUndefined();
    expect(await listSource(admin("globex"), { name: "orders-db" }, { view: "outgoing" })).toBeUndefined();
    expect(await listSource(admin("globex"), { id }, { view: "outgoing" })).toBeUndefined();
    expect(await readSource(admin("globex"), { id }, "24h")).toBeUndefined();
    expect(await readSource(admin(), { name: "no-such" }, "24h")).toBeUndefined();
    expect((await findInSources(admin("globex"), "out:104")).hits).toEqual([]);
  });

  it("is for everybody of the tenant who may read it, and for nobody else", async () => {
    expect(await listSource(desk.context("viewer"), { id }, { view: "dead" })).toBeDefined();
    const dead = await listSource(desk.context("viewer"), { id }, { view: "dead" });
    expect(dead?.source.acts.requeue).toMatchObject({
      offered: true,
      whyNot: expect.stringContaining("role") as string,
    });
    const nobody = { ...admin(), actor: { kind: "client", id: "k", name: "till", scopes: ["payments"] } } as never;
    await expect(listSource(nobody, { id }, { view: "dead" })).rejects.toMatchObject({ code: "auth.forbidden" });
  });

  const text = (...parts: readonly string[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
  it.each([
    ["no cursor", "not-one"],
    ["NUL", "\0"],
    ["of another list", text("incoming", "o", "", "100")],
    ["a row instead of a side", text("outgoing", "r", "out:1", "100")],
    ["too many values", text("outgoing", "o", "", "100", "1")],
    ["no number", text("outgoing", "o", "", "100; drop table x")],
    ["a number that there is not", text("outgoing", "o", "", "9223372036854775808")],
    ["half of a pair", text("outgoing", "o", "\ud800", "100")],
    ["too long", text("outgoing", "o", "", "1".repeat(9_000))],
  ])("refuses a cursor that is %s", async (_, cursor) => {
    await expect(list("orders-db", "outgoing", { cursor })).rejects.toMatchObject({
      code: "validation.cursor",
      status: 400,
      message: "Take it from next or previous of a page of the same list with the same sort, or leave it out to begin.",
    });
  });

  it("finds a row by its id or message id, and says what it asked", async () => {
    const found = await findInSources(admin(), "out:104");
    expect(found.hits).toMatchObject([{ source: "orders-db", id: "out:104" }, { view: "dead" }]);
    expect(found.hits[0]?.href).toMatch(/^\/sources\/orders-db\/outbox\?open=[\w-]+$/);
    expect((await findInSources(admin(), "m-4")).hits.map(({ id: each }) => each)).toEqual(["out:104", "in:104"]);
    expect(await findInSources(admin(), "nothing-of-this")).toMatchObject({ hits: [], left: [] });
    expect(await findInSources(admin(), "\0")).toEqual({ hits: [], left: [], asked: 0 });
  });

  it("keeps counts once in five minutes, with a zero only where all was counted", async () => {
    await desk.rows("delete from onceboard.attached_samples");
    const asked = new Map<string, number>();
    expect(await sampleAttached(admin(), asked)).toMatchObject({ sampled: 1, resting: 0, away: 0, dear: 0 });
    expect(await sampleAttached(admin(), asked)).toMatchObject({ sampled: 0, resting: 1 });
    // Another process asks the samples, not its memory.
    expect(await sampleAttached(admin(), new Map())).toMatchObject({ sampled: 0, resting: 1 });
    const view = await readSource(admin(), { id }, "1h");
    const gauge = (list: AttachView, state: string) =>
      view?.gauges.find((each) => each.view === list && each.state === state);
    expect(gauge("outgoing", "scheduled")?.last).toMatchObject({ value: 2, atLeast: false });
    expect(gauge("dead", "dead")?.last?.value).toBe(2);
    expect(gauge("outgoing", "dead")?.values.filter((value) => value !== null)).toEqual([1]);
    expect(view?.notCounted).toEqual([]);
    await desk.rows("update onceboard.attached_samples set at = at - interval '6 minutes'");
    expect(await sampleAttached(admin(), new Map())).toMatchObject({ sampled: 1 });
  });

  it("forgets samples after 30 days, step by step, also of an attachment that is gone", async () => {
    await desk.rows("delete from onceboard.attached_samples");
    await desk.rows(
      `insert into onceboard.attached_samples select 'acme', $1, 'dead:dead', now() - interval '31 days' - n * interval '1 minute', 1, false from generate_series(1, 700) n`,
      id,
    );
    await desk.rows(
      "insert into onceboard.attached_samples select 'acme', $1, 'dead:dead', now() - interval '29 days', 1, false",
      id,
    );
    expect((await sampleAttached(admin(), new Map())).deleted).toBe(500);
    expect((await sampleAttached(admin(), new Map())).deleted).toBe(200);
    const left = await desk.rows<{ rows: bigint }>(
      "select count(*) as rows from onceboard.attached_samples where at < now() - interval '1 day'",
    );
    expect(Number(left[0]?.rows)).toBe(1);
  });
});

it("walks a long list older and newer, each row once", async () => {
  await capDatabase("long-db", (database) =>
    database.run(
      `insert into cap.published select 1000 + n, 'v1', 'orders.paid', '{}', 0, now(), null, 'Succeeded' from generate_series(1, 130) n`,
    ),
  );
  const pages: (readonly string[])[] = [];
  const cursors: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    const view = await list("long-db", "outgoing", { cursor });
    if (view.page.kind !== "rows") throw new Error(view.page.because);
    pages.push(view.page.rows.map(({ id }) => id));
    cursors.push(view.page.previous);
    cursor = view.page.next;
  } while (cursor !== undefined);
  expect(pages.flat()).toHaveLength(137);
  expect(new Set(pages.flat()).size).toBe(137);
  expect(cursors[0]).toBeUndefined();
  const back = await list("long-db", "outgoing", { cursor: cursors[2] });
  expect(rowsOf(back).map(({ id }) => id)).toEqual(pages[1]);
  const first = await list("long-db", "outgoing", {
    cursor: back.page.kind === "rows" ? back.page.previous : undefined,
  });
  expect(rowsOf(first).map(({ id }) => id)).toEqual(pages[0]);
});

it("a row that is no JSON, of ten megabytes, or of a time that no calendar has breaks no list", async () => {
  await capDatabase("odd-db", async (database) => {
    const insert = `insert into cap.published values ($1, 'v1', $2, $3, 60, $4::timestamp, $5::timestamp, 'Failed')`;
    await database.run(insert, ["9001", "odd\u202e\nname", "no json \\u0000 {", "infinity", "-infinity"]);
    await database.run(insert, ["9002", "far", "\ufffd", "294000-01-01", "0044-03-15 BC"]);
    await database.run(
      `insert into cap.published values (9003, 'v1', 'long', '{"Headers":{"cap-exception":"' || repeat('x', 10000000) || '"}}', 60, now(), now(), 'Failed')`,
    );
  });
  for (const view of ["outgoing", "dead"] as const) {
    const rows = rowsOf(await list("odd-db", view)).slice(0, 3);
    expect(rows.map(({ id }) => id)).toEqual(["out:9003", "out:9002", "out:9001"]);
    expect(JSON.stringify(rows).length).toBeLessThan(20_000);
    expect(rows[2]?.values["type"]).toEqual({ kind: "text", text: "odd[U+202E]\nname", cut: false });
  }
  const odd = rowsOf(await list("odd-db", "outgoing"))[2];
  expect(odd?.values["created_at"]).toEqual({ kind: "text", text: "infinity", cut: false });
  expect(await sampleAttached(admin(), new Map())).toMatchObject({ away: 0 });
});

describe("where reading all of a table is dear", () => {
  beforeAll(async () => {
    await capDatabase("dear-db", async (database) => {
      await database.run(
        `insert into cap.published select 1000 + n, 'v1', 'orders.paid', '{}', 0, now(), null, 'Succeeded' from generate_series(1, 3000) n`,
      );
      await database.run("analyze cap.published");
      // As a table of a hundred million rows is to the planner.
      await database.run(
        `do $$ begin execute format('alter database %I set seq_page_cost = 2000', current_database()); end $$`,
      );
    });
  });

  it("a list that has an index is shown, and rows of one state are not listed by themselves", async () => {
    const view = await list("dear-db", "outgoing");
    expect(rowsOf(view)).toHaveLength(50);
    expect(view.whyNoFilter).toMatch(/^Not shown: PostgreSQL estimates a cost of [0-9,]+, more than 20,000\./);
    const dead = await list("dear-db", "outgoing", { state: "dead" });
    expect(dead.page).toMatchObject({ kind: "not_shown", because: view.whyNoFilter });
  });

  it("rows are not counted, no sample is kept, and the overview says why", async () => {
    const id = (await listSources(admin())).find(({ name }) => name === "dear-db")?.id ?? "none";
    const turn = await sampleAttached(admin(), new Map());
    expect(turn.dear).toBeGreaterThan(0);
    const view = await readSource(admin(), { id }, "1h");
    expect(view?.notCounted[0]).toMatchObject({
      view: "outgoing",
      because: expect.stringMatching(/all of published/) as string,
    });
    const outgoing = view?.gauges.filter(({ view: name }) => name === "outgoing") ?? [];
    expect(outgoing.length).toBeGreaterThan(0);
    for (const { last, most, values } of outgoing) {
      expect({ last, most }).toEqual({ last: undefined, most: null });
      expect(values.every((value) => value === null)).toBe(true);
    }
    const kept = await desk.rows(
      "select 1 from onceboard.attached_samples where attachment_id = $1 and measure like 'outgoing:%'",
      id,
    );
    expect(kept).toEqual([]);
  });

  it("a search does not read the table, and names what it left out", async () => {
    const found = await findInSources(admin(), "out:1001");
    expect(found.hits.filter(({ source }) => source === "dear-db")).toEqual([]);
    expect(found.left.filter(({ source }) => source === "dear-db").map(({ because }) => because)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Outbox, id: Not shown: .*all of published\.$/)]),
    );
  });

  it("one row is read by the index of the list, and no statement that is run reads a whole table", async () => {
    const database = databases.at(-1);
    const foreign = await database?.open();
    if (foreign === undefined) throw new Error("no database");
    const query = foreign.query.bind(foreign);
    const row = await explain(query, rowStatement(ATTACH_SCHEMA, "outgoing", ["bigint"]), ["1001", "out:1001"]);
    expect(row.scanned).toEqual([]);
    // The one that would is judged and not run.
    const count = await explain(query, countStatement(ATTACH_SCHEMA, "outgoing"));
    expect(count.scanned).toEqual(["published"]);
    expect(count.cost).toBeGreaterThan(20_000);
  });
});

describe("an attached database whose owner changed their mind", () => {
  it("a view that may not be read is a refusal of theirs, and the other lists stay", async () => {
    await capDatabase("closed-db");
    const database = databases.at(-1);
    await database?.run(`revoke select on onceboard_attach.outgoing from ${database.role}`);
    await expect(list("closed-db", "outgoing")).rejects.toMatchObject({
      code: "attach.read_failed",
      status: 502,
      message: "It answered 42501. Nothing was changed.",
    });
    expect(rowsOf(await list("closed-db", "incoming"))).toHaveLength(7);
  });

  it("a schema that is gone is not installed", async () => {
    await databases.at(-1)?.run("drop schema onceboard_attach cascade");
    await closeAttachments();
    await expect(list("closed-db", "incoming")).rejects.toMatchObject({ code: "attach.not_installed", status: 409 });
  });

  it("a schema that says something else is refused", async () => {
    await databases.at(-1)?.run("create schema onceboard_attach; comment on schema onceboard_attach is 'ours'");
    await expect(list("closed-db", "incoming")).rejects.toMatchObject({ code: "attach.manifest", status: 422 });
  });

  it("a database that is dropped under our connections is away, and its counts stay", async () => {
    await capDatabase("gone-db");
    expect(rowsOf(await list("gone-db", "dead"))).toHaveLength(2);
    await databases.pop()?.drop();
    await expect(list("gone-db", "dead")).rejects.toMatchObject({
      code: "attach.unreachable",
      message: "It does not take our connection now. Nothing was changed.",
    });
  });
});

describe("an attached database that is away", () => {
  beforeAll(async () => {
    await attachDatabase(admin(), "away-db", "postgres://nobody:a-password@127.0.0.1:1/gone");
  });

  it("says so, and nothing of its password", async () => {
    const error = await list("away-db", "outgoing").catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "attach.unreachable", status: 502 });
    expect(JSON.stringify([error, (error as Error).message])).not.toContain("a-password");
  });

  it("takes nothing from a search of the others or from their counts", async () => {
    const found = await findInSources(admin(), "out:104");
    expect(found.hits.map(({ source }) => source)).toContain("orders-db");
    expect(found.left).toContainEqual({
      source: "away-db",
      because: "The attached database cannot be reached.",
    });
    await desk.rows("delete from onceboard.attached_samples");
    const turn = await sampleAttached(admin(), new Map());
    // The closed one says something else of itself, one was dropped, and one is not there.
    expect(turn).toMatchObject({ away: 3 });
    expect(turn.sampled).toBeGreaterThan(1);
  });
});
