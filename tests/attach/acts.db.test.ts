import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cap } from "@/attach/presets/cap";
import { actOnAttached } from "@/console/attachments/act-on-attached";
import { NOBODY } from "@/console/attachments/act-operations";
import { markAttachmentRemoved } from "@/db/attachments/attachments";
import type { HeldWire, WireTrap } from "@/demo/faults/tap-proxy";
import { createActWorld, type ActWorld } from "./act-world";

let world: ActWorld;
let attachment: string;
beforeAll(async () => {
  world = await createActWorld();
  attachment = await world.attach("orders-db");
});
afterAll(() => world.close());

const origin = (idempotencyKey: string = randomUUID()) => ({
  idempotencyKey,
  receivedAt: performance.now(),
  reason: "the consumer is back",
});
const requeue = (row: string, key?: string, role?: "operator" | "viewer") =>
  actOnAttached(world.actor.context(role), origin(key), attachment, { act: "requeue", row });

/** The next connection that says so is held there. */
function heldAt(label: string, at: WireTrap["at"]): Promise<HeldWire> {
  return new Promise((caught) => {
    world.tap.trap({ matches: (said) => said.toLowerCase() === label, at, caught });
  });
}

describe("ATTACH-1 a row of an attached database is acted on", () => {
  it("once, and says what the function returned", async () => {
    const row = await world.deadMessage(1_000);
    const key = randomUUID();
    const first = await requeue(row, key);
    expect(first.answer).toMatchObject({
      changed: true,
      affected: 1,
      before: { state: "dead" },
      after: { source: "orders-db", row, state: "retrying", changed: 1 },
    });
    expect(await requeue(row, key)).toEqual({ ...first, replayed: true });
    expect(await world.changes(row)).toBe(1);
    const audit = await world.rows<{ reason: string | null; after: object }>(
      "select reason, after from onceboard.audit_entries where action = 'attached.requeue' and after ->> 'row' = $1 order by sequence",
      row,
    );
    expect(audit).toMatchObject([
      { reason: "the consumer is back", after: { asked: true, source: "orders-db" } },
      { after: { source: "orders-db", changed: 1, state: "retrying" } },
    ]);
  });

  it("is an operation that the console knows, with a provider that can be asked", async () => {
    const kind = (await world.actor.context().kinds.all()).get("attached.requeue");
    expect(kind).toMatchObject({ owner: "console", provider: { queryable: true, dedupesForHours: 0 } });
  });

  it("0 rows are an answer: somebody else was first", async () => {
    const { answer } = await requeue("out:999999");
    expect(answer).toMatchObject({ changed: false, affected: 0, skipped: [{ id: "out:999999", why: NOBODY }] });
  });

  it("by two people at once it is changed once", async () => {
    const row = await world.deadMessage(1_001);
    const both = await Promise.all([requeue(row), requeue(row)]);
    expect(both.map(({ answer }) => answer.affected).sort()).toEqual([0, 1]);
    expect(await world.changes(row)).toBe(1);
  });

  it("not by somebody who may only look, and not in what is not there", async () => {
    await expect(requeue("out:1", undefined, "viewer")).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(
      actOnAttached(world.actor.context(), origin(), randomUUID(), { act: "requeue", row: "out:1" }),
    ).rejects.toMatchObject({ code: "attachment.not_found", status: 404 });
  });

  it("from 25 discards within an hour a second person is asked", async () => {
    const rows = await Promise.all(Array.from({ length: 25 }, (_, n) => world.deadMessage(1_100 + n)));
    const discard = (row: string) =>
      actOnAttached(world.actor.context(), origin(), attachment, { act: "discard", row });
    for (const row of rows.slice(0, 24)) expect((await discard(row)).answer.affected).toBe(1);
    await expect(discard(rows[24] ?? "")).rejects.toMatchObject({ code: "plan.needed", certainty: "definite" });
    expect(await world.changes(rows[24] ?? "")).toBe(0);
  });

  it("old rows are purged, at most as many as were asked for", async () => {
    await world.foreign.run(
      `insert into cap.published select 2000 + n, 'v1', 'old', null, 0, now() - interval '9 days', now() - interval '1 day', 'Succeeded' from generate_series(1, 3) n`,
    );
    const on = { act: "purge", before: new Date(), most: 2 } as const;
    const { answer } = await actOnAttached(world.actor.context(), origin(), attachment, on);
    expect(answer).toMatchObject({ changed: true, affected: 2, after: { act: "purge", changed: 2 } });
  });

  it("where its functions are not installed it is refused, and the key is free", async () => {
    await world.foreign.install(cap, { time_zone: "UTC" }, false);
    const readOnly = await world.attach("read-only");
    const row = await world.deadMessage(1_002);
    await expect(
      actOnAttached(world.actor.context(), origin(), readOnly, { act: "requeue", row }),
    ).rejects.toMatchObject({
      code: "dependency.refused",
      certainty: "definite",
      message: "The functions that change rows are not installed. Nothing was changed.",
    });
    expect((await world.newest()).state).toBe("FAILED_RETRYABLE");
    await world.foreign.install(cap, { time_zone: "UTC" });
    expect(await world.changes(row)).toBe(0);
  });
});

describe("ATTACH-1 a connection that is lost in the middle", () => {
  it("before the commit arrived: unknown, then without effect, and the same key may run again", async () => {
    const row = await world.deadMessage(1_010);
    const key = randomUUID();
    const lost = heldAt("commit", "request").then((wire) => wire.cut());
    await expect(requeue(row, key)).rejects.toMatchObject({ code: "dependency.timeout", certainty: "indefinite" });
    await lost;
    const { operationId, state } = await world.newest();
    expect(state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await world.recover(operationId)).toBe("FAILED_RETRYABLE");
    expect(await world.changes(row)).toBe(0);
    expect((await requeue(row, key)).answer).toMatchObject({ changed: true, affected: 1 });
    expect(await world.changes(row)).toBe(1);
  });

  it("after it: unknown, then done, with what the function returned, and never done twice", async () => {
    const row = await world.deadMessage(1_011);
    const key = randomUUID();
    const lost = heldAt("commit", "reply").then((wire) => wire.cut());
    await expect(requeue(row, key)).rejects.toMatchObject({ code: "dependency.timeout", certainty: "indefinite" });
    await lost;
    const { operationId, state } = await world.newest();
    expect(state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await world.recover(operationId)).toBe("COMPLETED");
    expect(await requeue(row, key)).toMatchObject({
      replayed: true,
      answer: { changed: true, affected: 1, after: { state: "retrying" } },
    });
    expect(await world.changes(row)).toBe(1);
  });

  it("an owner who lost the operation commits nothing, however late", async () => {
    const row = await world.deadMessage(1_012);
    const held = heldAt("begin", "request");
    const late = requeue(row);
    const wire = await held;
    const { operationId } = await world.newest();
    expect(await world.recover(operationId)).toBe("FAILED_RETRYABLE");
    wire.forward();
    await expect(late).rejects.toThrow();
    expect(await world.changes(row)).toBe(0);
  });

  it("an attachment that was removed meanwhile leaves it unknown until a person settles it, and its key gets that for good", async () => {
    const removed = await world.attach("short-lived");
    const row = await world.deadMessage(1_013);
    const lost = heldAt("commit", "reply").then((wire) => wire.cut());
    const key = randomUUID();
    const act = () => actOnAttached(world.actor.context(), origin(key), removed, { act: "requeue", row });
    await expect(act()).rejects.toMatchObject({ code: "dependency.timeout" });
    await lost;
    const { operationId } = await world.newest();
    await markAttachmentRemoved(world.actor.db.pool, "acme", removed);
    expect(await world.recover(operationId)).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await world.settleAs("failed", operationId)).toBe("FAILED_REPLAYABLE");
    await expect(act()).rejects.toMatchObject({ code: "attached.not_done", status: 409, certainty: "definite" });
  });
});

describe("ATTACH-1 kill -9 of the process in the middle", () => {
  it.each([
    ["before the commit arrived", "request", "FAILED_RETRYABLE", 0],
    ["after the commit, before its answer", "reply", "COMPLETED", 1],
  ] as const)("%s is settled", async (_when, at, state, changes) => {
    const row = await world.deadMessage(at === "request" ? 1_020 : 1_021);
    const held = heldAt("commit", at);
    const child = spawn(process.execPath, ["--import", "tsx", CHILD], {
      env: { ...process.env, ACT: JSON.stringify({ ...world.process, attachment, row, key: randomUUID() }) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const wire = await held;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    wire.cut();
    const { operationId } = await world.newest();
    expect(await world.recover(operationId)).toBe(state);
    expect(await world.changes(row)).toBe(changes);
  });
});

const CHILD = fileURLToPath(new URL("act-child.ts", import.meta.url));
