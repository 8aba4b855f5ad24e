import { describe, expect, test } from "vitest";
import type { FoundTable } from "../contract/tables";
import { messageMap } from "./message-map";
import { mappedMessagesPreset } from "./preset";
import { suggestMessageMap } from "./suggest";

/** @param columns `name type`, separated by commas */
function tableOf(name: string, columns: string): FoundTable {
  return {
    schema: "public",
    name,
    columns: columns.split(", ").map((column) => {
      const [first = "", ...rest] = column.split(" ");
      return { name: first, type: rest.join(" ") };
    }),
  };
}

const TIME = "timestamp with time zone";

describe("an outbox", () => {
  test("timestamp only, in snake case", () => {
    const table = tableOf(
      "outbox_events",
      `id uuid, aggregate_id text, event_type text, payload jsonb, created_at ${TIME}, published_at ${TIME}`,
    );
    expect(suggestMessageMap(table)).toEqual({
      map: {
        kind: "outbox",
        id: "id",
        type: "event_type",
        order_key: "aggregate_id",
        created_at: "created_at",
        sent_at: "published_at",
        payload: "payload",
      },
      because: "public.outbox_events has payload, event_type, aggregate_id and published_at, as an outbox has.",
    });
  });

  test("timestamp and status, in camel case, with attempts, a lease and a tenant", () => {
    const table = tableOf(
      "OutboxMessage",
      'id bigint, messageId uuid, topic character varying(255), partitionKey text, tenantId uuid, status "OutboxStatus", retryCount integer, maxRetries integer, nextRetryAt timestamp(3) without time zone, sentAt timestamp(3) without time zone, lastError text, lockedUntil timestamp(3) without time zone, lockedBy text, headers jsonb, payload jsonb, createdAt timestamp(3) without time zone',
    );
    expect(suggestMessageMap(table, ["Pending", "Sent", "Failed"])?.map).toMatchObject({
      kind: "outbox",
      message_id: "messageId",
      destination: "topic",
      order_key: "partitionKey",
      tenant: "tenantId",
      available_at: "nextRetryAt",
      sent_at: "sentAt",
      attempts: "retryCount",
      max_attempts: { column: "maxRetries" },
      locked_until: "lockedUntil",
      status: { column: "status", waiting: ["Pending"], sent: ["Sent"], dead: ["Failed"], requeue_as: "Pending" },
    });
  });

  test("status only: how it is spelled is not known until somebody looks", () => {
    const table = tableOf("outbox", "id bigint, topic text, payload text, status text, attempts integer");
    const suggestion = suggestMessageMap(table);
    expect(suggestion?.map.status?.dead).toContain("failed");
    expect(suggestion?.map.status?.requeue_as).toBeUndefined();
    expect(suggestion?.because).toContain("was guessed");
  });

  test("neither, where its name says what it is", () => {
    const table = tableOf("order_outbox", `id bigint, event_type text, payload jsonb, created_at ${TIME}`);
    expect(suggestMessageMap(table)?.map.kind).toBe("outbox");
  });

  test("a table of a topic of watermill, of either kind, and not the one of its offsets", () => {
    const queue = tableOf(
      "watermill_orders",
      `offset integer, uuid character varying(36), payload json, metadata json, acked boolean, created_at ${TIME}`,
    );
    expect(suggestMessageMap(queue)).toEqual({
      map: {
        ...{ kind: "outbox", id: "offset", message_id: "uuid", created_at: "created_at" },
        ...{ sent_flag: "acked", payload: "payload", headers: "metadata" },
      },
      because: "public.watermill_orders has payload, uuid and acked, as an outbox has.",
    });
    const offsets = tableOf(
      "watermill_orders",
      "offset bigint, uuid character varying(36), created_at timestamp without time zone, payload json, metadata json, transaction_id xid8",
    );
    expect(suggestMessageMap(offsets)?.map).toMatchObject({ kind: "outbox", id: "offset" });
    const groups = "consumer_group character varying(255), offset_acked bigint, last_processed_transaction_id xid8";
    expect(suggestMessageMap(tableOf("watermill_offsets_orders", groups))).toBeUndefined();
  });

  test("a number called status is no status", () => {
    const table = tableOf("outbox", `id bigint, topic text, payload text, status integer, sent_at ${TIME}`);
    expect(suggestMessageMap(table)?.map.status).toBeUndefined();
  });
});

describe("the four shapes of an inbox", () => {
  test.each([
    [
      "processed_events",
      `event_id uuid, processed_at ${TIME}`,
      { id: "event_id", message_id: "event_id", sent_at: "processed_at" },
    ],
    [
      "handled",
      `consumer text, event_id text, created_at ${TIME}`,
      { id: "event_id", id_within: "consumer", consumer: "consumer", message_id: "event_id" },
    ],
    [
      "webhook_events",
      `id bigint, provider text, provider_event_id text, payload jsonb, received_at ${TIME}, processed_at ${TIME}, status text, attempts integer, last_error text`,
      {
        id: "id",
        consumer: "provider",
        message_id: "provider_event_id",
        created_at: "received_at",
        attempts: "attempts",
      },
    ],
    [
      "inbox_messages",
      `consumer text, message_id uuid, payload_hash text, received_at ${TIME}, processed_at ${TIME}`,
      { id: "message_id", id_within: "consumer", created_at: "received_at", sent_at: "processed_at" },
    ],
  ])("%s", (name, columns, map) => {
    expect(suggestMessageMap(tableOf(name, columns))?.map).toMatchObject({ kind: "inbox", ...map });
  });
});

test.each([
  ["users", `id bigint, email text, created_at ${TIME}`],
  ["orders", `id uuid, status text, data jsonb, created_at ${TIME}`],
  ["payments", `id uuid, provider text, amount bigint, status text, created_at ${TIME}`],
  ["audit_log", `id bigint, type text, payload jsonb, created_at ${TIME}`],
  ["sessions", `id text, data text, expires_at ${TIME}`],
  ["idempotency_keys", `key text, request_hash text, response_body jsonb, status text, locked_at ${TIME}`],
  ["outbox_settings", "name text, value text"],
  ["posts", `id bigint, type text, body text, published_at ${TIME}, created_at ${TIME}`],
])("%s is neither", (name, columns) => {
  expect(suggestMessageMap(tableOf(name, columns))).toBeUndefined();
});

describe("a map that cannot be", () => {
  const table = tableOf("outbox", "id bigint, payload text, sent integer");

  test.each([
    [{ kind: "outbox" as const, id: "key" }, "public.outbox has no column key."],
    [
      { kind: "outbox" as const, id: "id", sent_at: "sent" },
      "sent is integer, which cannot be the sent_at of a message.",
    ],
  ])("%j", (map, because) => {
    expect(() => mappedMessagesPreset(map, table)).toThrow(because);
  });

  test("a role that is none is refused", () => {
    expect(messageMap.safeParse({ kind: "outbox", id: "id", colour: "red" }).success).toBe(false);
  });
});
