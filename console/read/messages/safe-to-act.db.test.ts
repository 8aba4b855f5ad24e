import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseInboxFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import type { Hint } from "@/presentation/message/safe-to-act";
import type { ActionResult } from "@/engine/actions/action-answer";
import { outboxBody, type EnvelopeSource } from "@/engine/outbox/envelope";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { relay } from "@/engine/outbox/relay";
import { messageAction } from "@/console/actions/message-actions";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { listInbox, listOutbox } from "./list-messages";
import { readInboxMessage, readOutboxMessage } from "./read-message";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows(
    "insert into onceboard.topics (tenant_id, topic, paused_at, paused_by, pause_reason, updated_by) values ($1, 'resting', now(), 'op-1', 'a test', 'op-1')",
    TENANT,
  );
});
afterAll(() => env.close());

const ctx = () => env.context({ actor: operator("admin") });
const asked = (side: "outbox" | "inbox", id: string) => ({
  action: `${side}.requeue` as const,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type: side, id },
  reason: "a test asks",
  receivedAt: performance.now(),
});

/** The list's hint, the page's hint and action, and the answer of the verb say the same of one message at one moment. */
async function agree(
  listed: Hint | undefined,
  page:
    | (Hint & { readonly actions: readonly { action: string; allowed: boolean; whyNot?: string | undefined }[] })
    | undefined,
  act: () => Promise<ActionResult>,
): Promise<string> {
  const { safe, requeueNot, closes } = listed ?? {};
  expect(page).toMatchObject({ safe, requeueNot });
  expect(page?.closes).toBe(closes);
  const requeue = page?.actions.find(({ action }) => action === "requeue");
  expect(requeue).toMatchObject({ allowed: requeueNot === undefined, whyNot: requeueNot });
  const { answer } = await act();
  expect(answer.changed).toBe(requeueNot === undefined);
  expect(answer.changed ? answer.after : answer.skipped[0]).toMatchObject({ why: requeueNot ?? safe?.text });
  // The dialog speaks of closing, and not of sending, exactly where nothing is sent.
  expect(closes).toBe(answer.changed && answer.after["sent"] === false ? true : undefined);
  // A row of what has come to its end says the same in a word.
  expect([requeueNot ?? safe?.text, "Published.", "Handled: already posted."]).toContain(safe?.text);
  return requeueNot ?? safe?.text ?? "";
}

const set = (columns: string) => (id: string) =>
  env.rows(`update onceboard.outbox_messages set ${columns} where id = $1`, id);
const heldAs = (state: string, body: (whole: string) => string) => async (id: string) => {
  await set("state = 'dead'")(id);
  const [row] = await env.rows<EnvelopeSource>("select * from onceboard.outbox_messages where id = $1", id);
  if (row === undefined) throw new Error("no message");
  await env.rows(
    `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, processed_at)
     values ($1, gen_random_uuid(), 'ledger', $2, $3, 'payment.succeeded', '{}', $4, now(), $5, case when $5 = 'processed' then now() end)`,
    TENANT,
    OWN_SOURCE,
    id,
    createHash("sha256")
      .update(body(outboxBody(TENANT, row)))
      .digest(),
    state,
  );
};

describe("MESSAGE-2 what a list says of a message is what a requeue of it is answered", () => {
  it.each<[string, string, (id: string) => Promise<unknown>, RegExp]>([
    [
      "that waits",
      "pending",
      set("attempts_started = 3, attempts_finished = 3, last_error_code = 'http.503'"),
      /^Queued; will be sent automatically/,
    ],
    [
      "under a lease",
      "pending",
      set("owner = 'relay-1', locked_until = now() + interval '1 minute', attempts_started = 1"),
      /^A relay holds it until \d+ \w+ 20/,
    ],
    ["whose topic is paused", "pending", set("topic = 'resting'"), /^Its topic is paused/],
    [
      "that cannot be sent anywhere",
      "pending",
      set("last_error_code = 'delivery.broker_unavailable'"),
      /^Waiting: at the last try its destination was not reachable/,
    ],
    [
      "dead and seen by nobody",
      "dead",
      set("state = 'dead', last_error_code = 'http.422'"),
      /^Safe\. No consumer has this id/,
    ],
    [
      "dead on its way to somebody else",
      "dead",
      set("state = 'dead', topic = 'mail'"),
      /^Safe for money\. Delivery unconfirmed; if the mail arrived/,
    ],
    [
      "dead and processed",
      "dead",
      heldAs("processed", (whole) => whole),
      /^ledger processed it on .* and skips another copy/,
    ],
    [
      "dead and held with another payload",
      "dead",
      heldAs("recorded", () => "another"),
      /^ledger holds another payload/,
    ],
    ["discarded", "discarded", set("state = 'discarded'"), /^It was discarded/],
    [
      "published",
      "published",
      () =>
        relay(
          env.context(),
          through(() => ({ kind: "acknowledged" })),
        ),
      /^It was published on \d+ \w+ 20/,
    ],
  ])("of the outbox, %s", async (_what, state, put, says) => {
    const aggregate = uuidv7();
    const id = await env.outbox({ aggregate });
    await put(id);
    const { list } = await listOutbox(ctx(), { filters: parseOutboxFilters({ state, aggregate }).filters });
    const text = await agree(
      list.kind === "page" ? list.rows[0] : undefined,
      await readOutboxMessage(ctx(), { id }),
      () => messageAction(ctx(), asked("outbox", id), { side: "outbox", id }, "requeue"),
    );
    expect(text).toMatch(says);
  });

  it("of the outbox, dead while its operation is unknown", async () => {
    const operationId = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY" });
    const id = await env.outbox({ operationId });
    await set("state = 'dead'")(id);
    const { list } = await listOutbox(ctx(), { filters: parseOutboxFilters({ operationId }).filters });
    const row = list.kind === "page" ? list.rows[0] : undefined;
    expect(row?.requeueNot).toBe("The outcome of its operation is unknown: settle that first.");
    await agree(row, await readOutboxMessage(ctx(), { id }), () =>
      messageAction(ctx(), asked("outbox", id), { side: "outbox", id }, "requeue"),
    );
  });

  it.each([
    ["that waits", "recorded", "", "null", /^Queued; will be handled automatically/],
    [
      "that stops its process",
      "recorded",
      ", attempts_started = 3, attempts_finished = 1",
      "null",
      /2 attempts never ended: it is handled alone/,
    ],
    [
      "under a lease",
      "recorded",
      ", attempts_started = 1",
      "now() + interval '1 minute'",
      /^A consumer holds it until \d+ \w+ 20/,
    ],
    [
      "that is processed",
      "processed",
      ", processed_at = now(), result = 'already posted'",
      "",
      /^ledger processed it on .*: already posted\. It is not/,
    ],
    ["that is dead", "dead", "", "", /^Safe\. The handler adds only what is missing\.$/],
    [
      "that is dead and came with another payload",
      "dead",
      ", mismatches = 1",
      "",
      /^Safe\. .* only the first is handled/,
    ],
    ["that is discarded", "discarded", "", "", /^It was discarded/],
  ] as const)("of the inbox, %s", async (what, state, columns, lease, says) => {
    const id = uuidv7();
    await env.rows(
      `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state)
       values ($1, $2, 'ledger', 'shop', $3, 'payment.succeeded', '{}', '\\x00', now(), 'recorded')`,
      TENANT,
      id,
      what,
    );
    await env.rows(`update onceboard.inbox_messages set state = $2${columns} where id = $1`, id, state);
    if (state === "recorded")
      await env.rows(
        `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, attempts_started, attempts_finished, owner, locked_until)
         select tenant_id, id, consumer, received_at, now(), attempts_started, attempts_finished, 'consumer-1', ${lease} from onceboard.inbox_messages where id = $1`,
        id,
      );
    const { list } = await listInbox(ctx(), { filters: parseInboxFilters({ messageId: what }).filters });
    const text = await agree(
      list.kind === "page" ? list.rows[0] : undefined,
      await readInboxMessage(ctx(), { id }),
      () => messageAction(ctx(), asked("inbox", id), { side: "inbox", id }, "requeue"),
    );
    expect(text).toMatch(says);
  });
});
