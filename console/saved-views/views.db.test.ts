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
