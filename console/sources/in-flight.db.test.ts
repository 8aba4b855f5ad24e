import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { brandur } from "@/attach/presets/brandur";
import { BRANDUR_TABLES, insertBrandurRows } from "@/attach/presets/brandur/fixtures";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { PRESETS } from "@/attach/presets";
import { explain } from "@/attach/read/explain";
import { inFlightStatement } from "@/attach/read/in-flight";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { constantsOf, createLibraryDatabase, LIBRARIES } from "@/attach/testing/libraries";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { attachDatabase } from "@/console/testing/attached";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import type { SourceFlightList } from "@/presentation/views/sources";
import { readSourceInFlight } from "./read-in-flight";

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

const admin = () => desk.context("admin");

async function keysDatabase(name: string): Promise<ForeignDatabase> {
  const database = await createForeignDatabase(BRANDUR_TABLES);
  databases.push(database);
  await insertBrandurRows(database);
  await database.install(brandur, constantsOf(brandur));
  await attachDatabase(admin(), name, database.url, "brandur");
  return database;
}

async function flightOf(name: string): Promise<SourceFlightList> {
  const view = await readSourceInFlight(admin(), { name });
  const [list] = view?.lists ?? [];
  if (list === undefined) throw new Error(`${name} cannot tell`);
  return list;
}

function standingsOf({ page }: SourceFlightList): readonly (readonly [string, string])[] {
  if (page.kind === "not_shown") throw new Error(page.because);
  return page.rows.map(({ id, standing }) => [id, standing] as const);
}

describe("what an attached database works on", () => {
  it("a lock that ran out is stale, the oldest first, and what is done is not there", async () => {
    const database = await keysDatabase("keys-db");
    await database.run("update idempotency_keys set last_run_at = created_at");
    const list = await flightOf("keys-db");
    expect(standingsOf(list)).toEqual([
      ["key:3", "lock_ended"],
      ["key:5", "held"],
    ]);
    expect(list.page).toMatchObject({ counts: { lock_ended: 1, held: 1, old: 0, young: 0, no_time: 0 } });
    expect(list.columns.find(({ name }) => name === "locked_by")).toMatchObject({ kind: "not_stored" });
    await database.run("update idempotency_keys set locked_at = now() where id = 3");
    expect(standingsOf(await flightOf("keys-db")).map(([, standing]) => standing)).toEqual(["held", "held"]);
  });

  it("shows the oldest hundred and counts all of them", async () => {
    const database = await keysDatabase("many-db");
    await database.run(
      `insert into idempotency_keys (idempotency_key, created_at, last_run_at, locked_at, request_method, request_params, request_path, recovery_point, user_id)
       select 'k' || n, now() - interval '1 day', now() - interval '1 day', now() - interval '1 day', 'POST', '{}', '/rides', 'started', 1 from generate_series(1, 150) n`,
    );
    const list = await flightOf("many-db");
    expect(standingsOf(list)).toHaveLength(100);
    expect(list.page).toMatchObject({ counts: { lock_ended: 151, held: 1 } });
  });

  it("tables that cannot tell have no such page", async () => {
    const database = await createForeignDatabase(CAP_TABLES);
    databases.push(database);
    await insertCapRows(database, "UTC");
    await database.install(cap, { time_zone: "UTC" });
    await attachDatabase(admin(), "orders-db", database.url);
    expect(await readSourceInFlight(admin(), { name: "orders-db" })).toBeUndefined();
    expect(await readSourceInFlight(admin(), { name: "no-such" })).toBeUndefined();
    await expect(
      readSourceInFlight(
        { ...admin(), actor: { kind: "client", id: "k", name: "till", scopes: ["payments"] } } as never,
        {
          name: "keys-db",
        },
      ),
    ).rejects.toMatchObject({ code: "auth.forbidden" });
  });

  it("is not shown where reading all of the table is dear, and nothing is read", async () => {
    const database = await keysDatabase("dear-keys");
    await database.run("analyze idempotency_keys");
    await database.run(
      `do $$ begin execute format('alter database %I set seq_page_cost = 2000000', current_database()); end $$`,
    );
    await closeAttachments();
    const list = await flightOf("dear-keys");
    expect(list.page).toMatchObject({
      kind: "not_shown",
      because: expect.stringMatching(/^Not shown: .* all of idempotency_keys\.$/) as string,
    });
    const foreign = await database.open();
    const judged = await explain(
      foreign.query.bind(foreign),
      inFlightStatement(ATTACH_SCHEMA, "keys", ["bigint"]),
      [900],
    );
    expect(judged.cost).toBeGreaterThan(20_000);
  });
});

describe("every library that can tell, with a row in each state", () => {
  it.each(["oban", "river", "pg-boss-11", "modulith-v2", "wolverine", "idempot-js", "pg-transactional-outbox"])(
    "%s",
    async (id) => {
      const database = await createLibraryDatabase(id);
      databases.push(database);
      const preset = PRESETS.find((each) => each.id === id);
      const library = LIBRARIES[id];
      if (preset === undefined || library === undefined) throw new Error(id);
      await (typeof library.rows === "string" ? database.run(library.rows) : library.rows(database));
      await database.install(preset, constantsOf(preset));
      await attachDatabase(admin(), `of-${id}`.slice(0, 30), database.url, id);
      const view = await readSourceInFlight(admin(), { name: `of-${id}`.slice(0, 30) });
      for (const list of view?.lists ?? []) {
        const [counted] = await database.run<{ rows: string }>(
          `select count(*) as rows from onceboard_attach.${list.view} where state = 'in_progress'`,
        );
        expect(standingsOf(list), list.view).toHaveLength(Number(counted?.rows));
        // Where no end of a lock is stored, none is called stale or held.
        const tells = list.columns.some(({ name, kind }) => name === "locked_until" && kind !== "not_stored");
        if (!tells)
          for (const [, standing] of standingsOf(list)) expect(["old", "young", "no_time"]).toContain(standing);
      }
      expect(view?.lists.length).toBeGreaterThan(0);
      await desk.rows(
        "update onceboard.attachments set removed_at = now(), sealed = null where name = $1",
        `of-${id}`.slice(0, 30),
      );
    },
  );
});
