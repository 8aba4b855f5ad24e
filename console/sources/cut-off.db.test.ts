import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openForeign } from "@/attach/connection";
import { limitOf } from "@/attach/limits";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { attachDatabase } from "@/console/testing/attached";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { meters } from "@/engine/telemetry/meters";
import { listSource } from "./list-source";
import { readSource } from "./read-source";
import { sampleAttached } from "./sample-attached";

let desk: Desk;
let database: ForeignDatabase;
beforeAll(async () => {
  desk = await openDesk();
  database = await createForeignDatabase(CAP_TABLES);
  await insertCapRows(database, "UTC");
  await database.install(cap, { time_zone: "UTC" });
  await attachDatabase(admin(), "orders-db", database.url);
});
afterAll(async () => {
  await closeAttachments();
  await database.drop();
  await desk.close();
});

const admin = () => desk.context("admin");
const BY = { name: "orders-db" };
/** What stands at /metrics, by its labels. */
async function counted(limit: string): Promise<number> {
  const { values } = await meters.attachedCutOff.get();
  return values.find(({ labels }) => labels.limit === limit && labels.preset === "cap")?.value ?? 0;
}

describe("a read of an attached database that a limit ends", () => {
  it("is told by which limit, once, and what somebody there stops is none", async () => {
    const limits: string[] = [];
    const foreign = await openForeign(database.url, { onLimit: (limit) => limits.push(limit) });
    await expect(
      foreign.walking(async (query) => {
        await query("set local statement_timeout = '20ms'");
        await query("select pg_sleep(60)");
      }),
    ).rejects.toMatchObject({ code: "57014" });
    expect(limits).toEqual(["statement"]);
    await expect(foreign.query("select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)")).rejects.toMatchObject({
      code: "57014",
    });
    const tx = await foreign.begin();
    await tx.query("set local statement_timeout = '20ms'");
    await expect(tx.query("select pg_sleep(60)")).rejects.toMatchObject({ code: "57014" });
    await tx.rollback();
    expect(limits).toEqual(["statement", "statement"]);
    // What the driver says of a server that answers nothing at all.
    expect(limitOf(new Error("Query read timeout"))).toBe("answer");
    expect(limitOf(new Error("another error"))).toBeUndefined();
    await foreign.close();
  });

  it("is counted, said in its list, and named on the page of the attachment afterwards", async () => {
    const before = await counted("lock");
    expect((await readSource(admin(), BY, "1h"))?.cutOffs).toEqual([]);
    const release = await database.hold("lock table cap.published in access exclusive mode");
    const list = await listSource(admin(), BY, { view: "outgoing" });
    const because =
      "Cut off: a lock on these tables is waited for 2 s, and it did not end by then. Nothing was changed.";
    expect(list?.page).toEqual({ kind: "not_shown", because });
    expect(list?.whyNoFilter).toBe(because);
    expect(await counted("lock")).toBe(before + 2);
    // A list of another table is read all the same, and nothing is kept of a count that did not end.
    expect((await listSource(admin(), BY, { view: "incoming" }))?.page.kind).toBe("rows");
    expect(await sampleAttached(admin(), new Map())).toMatchObject({ sampled: 1, away: 0 });
    await release();
    expect((await listSource(admin(), BY, { view: "outgoing" }))?.page.kind).toBe("rows");
    const view = await readSource(admin(), BY, "1h");
    const says = "a lock on these tables is waited for 2 s";
    // The dead are of both tables.
    expect(view?.cutOffs.map(({ view: name, says: said }) => [name, said])).toEqual([
      ["outgoing", says],
      ["dead", says],
    ]);
    expect(view?.gauges.filter(({ last }) => last !== undefined).every(({ view: name }) => name === "incoming")).toBe(
      true,
    );
    // Once in a minute, whatever is read.
    expect(
      await desk.rows("select 1 from onceboard.attached_samples where measure = 'outgoing:cut_off:lock'"),
    ).toHaveLength(1);
  });

  it("is no longer named after a day", async () => {
    await desk.rows("update onceboard.attached_samples set at = at - interval '25 hours'");
    expect((await readSource(admin(), BY, "1h"))?.cutOffs).toEqual([]);
  });
});
