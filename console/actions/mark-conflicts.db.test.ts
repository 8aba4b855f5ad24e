import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { answered, type MadeOperation } from "@/db/testing/factories/made-operation";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { markConflicts, type ConflictMarkInput } from "./mark-conflicts";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { readConflict } from "@/console/read/operations/read-conflict";

let desk: Desk;
let made: MadeOperation & { readonly eventId: string };
beforeAll(async () => {
  desk = await openDesk();
  made = await desk.make.withConflict({ client: "partner-lumen" });
  await desk.make.withConflict({ client: "till-web" });
});
afterAll(() => desk.close());

const request = () => ({ idempotencyKey: uuidv7(), receivedAt: performance.now() });
const group = { client: "partner-lumen", operation: "payments.create" };
const mark = (over: Partial<ConflictMarkInput> = {}) =>
  markConflicts(desk.context(), request(), { ...group, mark: "client_fault", note: "told them on the 3rd", ...over });
const groups = async () => (await listConflicts(desk.context("viewer"), {})).groups;

describe("CONFLICT-7 marks of conflicts", () => {
  it("are seen in the list and beside the conflict, and what nobody judged stands first", async () => {
    const elsewhere = () =>
      desk.rows(
        `select id::text, outcome, status from onceboard.idempotency_events where type = 'conflict'
         union all select id::text, null, null from onceboard.outbox_messages
         union all select id::text, null, null from onceboard.notifications order by 1`,
      );
    const before = await elsewhere();
    const result = await mark();
    // No answer changed, and nobody is told.
    expect(await elsewhere()).toEqual(before);
    expect(result.answer).toMatchObject({ changed: true, affected: 1, after: { mark: "client_fault" } });
    expect((await groups()).map(({ client, mark: outcome }) => [client, outcome?.mark, outcome?.newer])).toEqual([
      ["till-web", undefined, undefined],
      ["partner-lumen", "client_fault", 0],
    ]);
    const detail = await readConflict(desk.context("viewer"), { eventId: made.eventId });
    expect(detail).toMatchObject({
      mark: { mark: "client_fault", note: "told them on the 3rd", by: "Mira Okafor", newer: 0 },
      markNot: expect.stringContaining("needs the role operator") as unknown,
    });
    expect((await readConflict(desk.context(), { eventId: made.eventId }))?.markNot).toBeUndefined();
    expect(
      await desk.rows("select action, reason from onceboard.audit_entries where subject_type = 'conflicts'"),
    ).toEqual([{ action: "conflicts.mark", reason: "told them on the 3rd" }]);
  });

  it("a conflict after the mark is new again", async () => {
    await answered({ q: desk.context().db.pool, tenantId: "acme" }, made, "conflict", {
      status: 409,
      detail: { differingFields: ["amount"] },
    });
    const found = (await groups()).find(({ client }) => client === "partner-lumen");
    expect(found?.mark).toMatchObject({ mark: "client_fault", newer: 1 });
    await mark({ mark: "ours", note: "our gateway rounds" });
    expect((await groups()).find(({ client }) => client === "partner-lumen")?.mark).toMatchObject({
      mark: "ours",
      newer: 0,
    });
  });

  it("needs a conflict of the last 7 days, unless there is a mark to change", async () => {
    const old = await desk.make.withConflict({ client: "old-till" });
    const moved = (days: number) =>
      desk.rows(
        "update onceboard.idempotency_events set at = now() - make_interval(days => $2) where id = $1",
        old.eventId,
        days,
      );
    await moved(8);
    await expect(mark({ client: "old-till" })).rejects.toMatchObject({ code: "conflict.not_found" });
    await moved(6);
    expect((await mark({ client: "old-till" })).answer.affected).toBe(1);
    await moved(8);
    expect((await mark({ client: "old-till", mark: "none" })).answer).toMatchObject({ changed: true });
  });

  it("is one command however often it is clicked, may be taken back, and needs a conflict and a role", async () => {
    const one = request();
    const input = { ...group, mark: "none", note: "looked again" } as const;
    expect((await markConflicts(desk.context(), one, input)).answer.affected).toBe(1);
    expect((await markConflicts(desk.context(), one, input)).replayed).toBe(true);
    expect((await mark({ mark: "none" })).answer).toMatchObject({
      changed: false,
      affected: 0,
      skipped: [{ why: "It had no mark." }],
    });
    expect((await groups()).every((each) => each.mark === undefined)).toBe(true);
    await expect(mark({ client: "nobody" })).rejects.toMatchObject({
      code: "conflict.not_found",
      status: 404,
      message: "Nothing was marked. No conflict of this client and operation is on record for the last 7 days.",
    });
    const marks = async () =>
      (await desk.rows("select 1 from onceboard.conflict_marks where client = 'nobody'")).length;
    expect(await marks()).toBe(0);
    await expect(markConflicts(desk.context("viewer"), request(), input)).rejects.toMatchObject({
      code: "auth.forbidden",
    });
  });
});
