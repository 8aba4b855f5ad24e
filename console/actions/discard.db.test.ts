import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectOutboxMessage } from "@/db/outbox/select-outbox";
import { setTopic } from "@/db/outbox/topics";
import { purgeInbox } from "@/db/retention/purge";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { createConsumerRegistry } from "@/engine/inbox/consumer";
import { messageAction } from "./message-actions";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const asked = (
  action: ActionRequest["action"],
  type: "inbox" | "outbox",
  id: string,
  reason = "junk of a test",
): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type, id },
  reason,
  receivedAt: performance.now(),
});
const mira = () => env.context({ actor: operator("operator", "op-mira") });
const rejecting = through(() => ({ kind: "rejected", code: "http.410", reason: "gone for good" }));
const taking = through(() => ({ kind: "acknowledged" }));
const stateOf = async (id: string): Promise<unknown> =>
  (await env.rows<{ state: string }>("select state from onceboard.outbox_messages where id = $1", id))[0]?.state;

describe("MESSAGE-4 a discard", () => {
  it("of the oldest message of an aggregate lets the next one go, and is never sent itself", async () => {
    const aggregate = uuidv7();
    const first = await env.outbox({ aggregate });
    await relay(env.context(), rejecting);
    const second = await env.outbox({ aggregate });
    await relay(env.context(), taking);
    expect([await stateOf(first), await stateOf(second)]).toEqual(["dead", "pending"]);
    const { answer } = await messageAction(
      mira(),
      asked("outbox.discard", "outbox", first),
      { side: "outbox", id: first },
      "discard",
    );
    expect(answer).toMatchObject({ changed: true, before: { state: "dead" }, after: { state: "discarded" } });
    const sent: string[] = [];
    const noting = through(({ id }) => {
      sent.push(id);
      return { kind: "acknowledged" };
    });
    await relay(env.context(), noting);
    expect(sent).toEqual([second]);
    expect(await stateOf(first)).toBe("discarded");
    expect(
      await env.rows(
        "select settlement, settled_by, reason from onceboard.dead_letters where message_row_id = $1",
        first,
      ),
    ).toEqual([{ settlement: "discarded", settled_by: "Mira (op-mira)", reason: "junk of a test" }]);
    const again = await messageAction(
      mira(),
      asked("outbox.requeue", "outbox", first),
      { side: "outbox", id: first },
      "requeue",
    );
    expect(again.answer).toMatchObject({
      changed: false,
      skipped: [{ why: "It was discarded: it is no longer sent." }],
    });
  });

  it("behind a paused topic lets nothing wait behind it, and sends nothing", async () => {
    const aggregate = uuidv7();
    const first = await env.outbox({ aggregate });
    await relay(env.context(), rejecting);
    const second = await env.outbox({ aggregate });
    const settings = { tenantId: TENANT, topic: "payments", transport: undefined, destination: undefined };
    const by = { reason: "a move", actor: "mira" };
    await setTopic(env.db.pool, { ...settings, ...by, version: 0, paused: true });
    const waitsBehind = async () => (await selectOutboxMessage(env.db.pool, TENANT, second))?.behind;
    expect(await waitsBehind()).toBe(first);
    await messageAction(mira(), asked("outbox.discard", "outbox", first), { side: "outbox", id: first }, "discard");
    expect(await waitsBehind()).toBeUndefined();
    expect(await relay(env.context(), taking)).toMatchObject({ claimed: 0 });
    expect(await stateOf(second)).toBe("pending");
    await setTopic(env.db.pool, { ...settings, ...by, version: 1, paused: false });
    expect(await relay(env.context(), taking)).toMatchObject({ published: 1 });
  });

  it("of an arrival keeps its id while its row is kept: the same message later is a duplicate and is not handled", async () => {
    const arrival = {
      source: "s",
      messageId: "junk-1",
      type: "t",
      payload: {},
      payloadBytes: Buffer.from("{}"),
      headers: {},
    };
    const registry = createConsumerRegistry([]);
    const { inboxIds } = await receive(env.context(), registry, arrival);
    const id = inboxIds[0] ?? "";
    await env.rows(
      "with gone as (delete from onceboard.inbox_open where id = $1) update onceboard.inbox_messages set state = 'dead', attempts_started = 5, attempts_finished = 5 where id = $1",
      id,
    );
    const { answer } = await messageAction(
      mira(),
      asked("inbox.discard", "inbox", id),
      { side: "inbox", id },
      "discard",
    );
    expect(answer).toMatchObject({ changed: true, after: { state: "discarded" } });
    expect((await receive(env.context(), registry, arrival)).inboxIds).toEqual([id]);
    expect(await env.rows("select state, duplicates from onceboard.inbox_messages where id = $1", id)).toEqual([
      { state: "discarded", duplicates: 1 },
    ]);
    // Past retention nobody knows its id any more.
    await env.rows("update onceboard.inbox_messages set received_at = now() - interval '2 days' where id = $1", id);
    await purgeInbox(env.db.pool, TENANT, 1, 10);
    const [later = ""] = (await receive(env.context(), registry, arrival)).inboxIds;
    expect(await env.rows("select state from onceboard.inbox_messages where id = $1", later)).toEqual([
      { state: "recorded" },
    ]);
  });

  it("leaves alone what is not dead, and says where it is", async () => {
    const id = await env.outbox();
    const discard = () =>
      messageAction(mira(), asked("outbox.discard", "outbox", id), { side: "outbox", id }, "discard");
    expect((await discard()).answer).toMatchObject({
      changed: false,
      skipped: [{ why: "Queued; will be sent automatically." }],
    });
    await relay(env.context(), taking);
    for (const { answer } of [
      await discard(),
      await messageAction(mira(), asked("outbox.requeue", "outbox", id), { side: "outbox", id }, "requeue"),
    ])
      expect(answer.skipped[0]?.why).toMatch(/^It was published on \d+ \w+ 20/);
    expect(await env.rows("select 1 from onceboard.outbox_history where id = $1", id)).toHaveLength(1);
  });

  it("needs the role, and a message that is there", async () => {
    const id = uuidv7();
    const viewer = env.context({ actor: operator("viewer", "op-vera") });
    await expect(
      messageAction(viewer, asked("inbox.discard", "inbox", id), { side: "inbox", id }, "discard"),
    ).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    await expect(
      messageAction(mira(), asked("inbox.discard", "inbox", id), { side: "inbox", id }, "discard"),
    ).rejects.toMatchObject({
      code: "inbox.not_found",
    });
  });
});
