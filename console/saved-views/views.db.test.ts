import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VIEWS_MAX } from "@/presentation/list/saved-view";
import type { Role } from "@/domain/idempotency/states";
import type { EngineContext } from "@/engine/context";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { changeView, deleteView, saveView } from "./write-views";
import { listViews, readView } from "./list-views";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await desk.rows(
    "insert into onceboard.operators (id, name, email, role) values ('anna', 'Anna Ito', 'anna@example.test', 'operator')",
  );
});
afterAll(() => desk.close());

const as = (id: string, role: Role = "operator"): EngineContext => ({
  ...desk.context(role),
  actor: { kind: "operator", id, name: id, role },
});
const request = () => ({ idempotencyKey: randomUUID(), receivedAt: performance.now() });

describe("LIST-5 saved views", () => {
  it("are seen by all, changed by who saved them, and by an admin", async () => {
    const anna = as("anna");
    await saveView(anna, request(), { page: "inbox", name: "Dead here", search: "?state=dead" });
    const { rows } = await listViews(as("vera", "viewer"), { page: "inbox" });
    expect(rows).toMatchObject([
      {
        name: "Dead here",
        createdBy: "Anna Ito",
        mayChange: false,
        href: `/inbox?state=dead&view=${rows[0]?.id ?? ""}`,
      },
    ]);
    const id = rows[0]?.id ?? "";
    expect(await readView(anna, { id })).toMatchObject({ mayChange: true });
    const forbidden = { status: 403, code: "auth.forbidden" };
    await expect(deleteView(as("ben"), request(), id)).rejects.toMatchObject(forbidden);
    await expect(changeView(as("ben"), request(), id, { name: "Ben's" })).rejects.toMatchObject(forbidden);
    await expect(deleteView(as("vera", "viewer"), request(), id)).rejects.toMatchObject(forbidden);
    await expect(
      saveView(as("vera", "viewer"), request(), { page: "inbox", name: "Mine", search: "" }),
    ).rejects.toMatchObject(forbidden);
    await changeView(anna, request(), id, { name: "Dead in the inbox" });
    expect(await readView(as("ben"), { id })).toMatchObject({ name: "Dead in the inbox", search: "?state=dead" });
    await deleteView(as("boss", "admin"), request(), id);
    expect(await readView(anna, { id })).toBeUndefined();
  });

  it("keep a range as it is written, and their link through a change; no row of the list is touched", async () => {
    const { operationId } = await desk.make.completed();
    const row = () =>
      desk.rows("select r::text as row from onceboard.idempotency_requests r where operation_id = $1", operationId);
    const before = await row();
    const anna = as("anna");
    await saveView(anna, request(), { page: "operations", name: "Today", search: "?range=7d&sort=amount" });
    const named = async (name: string) =>
      (await listViews(as("vera", "viewer"), { page: "operations" })).rows.find((view) => view.name === name);
    const saved = await named("Today");
    const id = saved?.id ?? "";
    const query = new URLSearchParams(saved?.search);
    expect([query.get("range"), query.get("sort"), query.has("from")]).toEqual(["7d", "amount", false]);
    await changeView(anna, request(), id, { name: "The last day" });
    expect(await named("Today")).toBeUndefined();
    expect(await readView(as("ben"), { id })).toMatchObject({ name: "The last day", href: saved?.href });
    await changeView(anna, request(), id, { search: "?range=1h&columns=what" });
    expect((await named("The last day"))?.search).toBe("?range=1h&columns=what");
    await deleteView(anna, request(), id);
    expect(await named("The last day")).toBeUndefined();
    const [kept] = await desk.rows<{ before: unknown }>(
      "select before from onceboard.audit_entries where subject_type = 'view' and subject_id = $1 order by sequence desc limit 1",
      id,
    );
    expect(kept?.before).toMatchObject({ name: "The last day", search: "?range=1h&columns=what" });
    expect(await row()).toEqual(before);
  });

  it("have each its own name", async () => {
    const save = () => saveView(as("anna"), request(), { page: "outbox", name: "Late", search: "" });
    await save();
    await expect(save()).rejects.toMatchObject({
      code: "view.exists",
      message: expect.stringContaining('Choose another name than "Late", or overwrite that view.') as string,
    });
  });

  it("are at most VIEWS_MAX per list, and none too many when two are saved at once", async () => {
    const save = (name: string) => saveView(as("anna"), request(), { page: "audit", name, search: "" });
    for (let made = 1; made < VIEWS_MAX; made += 1) await save(`View ${String(made)}`);
    const both = await Promise.allSettled([save("One more"), save("And one more")]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(save("Too many")).rejects.toMatchObject({
      code: "view.limit",
      status: 409,
      message: expect.stringMatching(
        new RegExp(`Nothing was saved\\. Audit has ${String(VIEWS_MAX)} views at the most; delete one first\\.$`),
      ) as string,
    });
    expect((await listViews(as("anna"), { page: "audit" })).rows).toHaveLength(VIEWS_MAX);
  });
});
