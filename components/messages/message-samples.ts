import { SAMPLE_ID, SAMPLE_NOW } from "@/components/parts/part";
import type { DeadLetterRow } from "@/presentation/views/dead-letters";
import type { InboxDetail } from "@/presentation/views/inbox";
import type { MessageDetail } from "@/presentation/views/messages";
import type { OutboxDetail } from "@/presentation/views/outbox";
import type { PlaceRow, PlacesView } from "@/presentation/views/places";

export const OTHER_ID = SAMPLE_ID.replace(/.$/, "c");

const detail: MessageDetail = {
  at: SAMPLE_NOW,
  attemptsMade: [],
  chain: { stations: [] },
  causes: [],
  headers: [],
  hiddenHeaders: 0,
  deadLetters: [],
  actions: [],
  safe: { glyph: "EXPIRED", tone: "quiet", text: "It is not dead." },
};
const row = {
  id: SAMPLE_ID,
  type: "payment.succeeded",
  attempts: 0,
  unfinished: 0,
  maxAttempts: 8,
  ageMs: 60_000,
} as const;

/** A message that was written a minute ago and waits; also a row of the outbox. */
export function sampleOutbox(changes: Partial<OutboxDetail> = {}): OutboxDetail {
  return {
    ...detail,
    ...row,
    state: "pending",
    topic: "payments",
    topicLabel: "payments",
    transport: "http",
    notification: false,
    aggregateType: "payment",
    aggregateId: OTHER_ID,
    position: "7",
    createdAt: "2026-11-22T14:29:00.000000Z",
    paused: false,
    republished: [],
    envelope: [],
    contentType: "application/json",
    consumers: [],
    ...changes,
  };
}

/** A message that arrived a minute ago and waits; also a row of the inbox. */
export function sampleInbox(changes: Partial<InboxDetail> = {}): InboxDetail {
  return {
    ...detail,
    ...row,
    state: "recorded",
    consumer: "ledger",
    source: "shop-bus",
    messageId: OTHER_ID,
    receivedAt: "2026-11-22T14:29:00.000000Z",
    duplicates: 0,
    mismatches: 0,
    alone: false,
    payloadHash: "9f2c",
    payload: [],
    arrivals: [],
    ...changes,
  };
}

/** A message that may be requeued now and was not settled. */
export function sampleDeadLetter(changes: Partial<DeadLetterRow> = {}): DeadLetterRow {
  return {
    id: "d1",
    side: "outbox",
    messageId: SAMPLE_ID,
    place: "payments",
    type: "payment.succeeded",
    errorCode: "delivery.http_500",
    error: "Internal",
    attempts: 8,
    deadAt: "2026-11-22T14:00:00.000000Z",
    ...changes,
  };
}

/** A topic in which nothing waits or fails. */
export function samplePlace(changes: Partial<PlaceRow> = {}): PlaceRow {
  return {
    side: "outbox",
    place: "payments",
    label: "payments",
    waiting: 0,
    failing: 0,
    dead: 0,
    alone: 0,
    hour: { succeeded: 0, failed: 0, dead: 0, spark: [] },
    ...changes,
  };
}

export function samplePlaces(rows: readonly PlaceRow[], changes: Partial<PlacesView> = {}): PlacesView {
  const open = {
    waiting: rows.reduce((sum, row) => sum + row.waiting, 0),
    dead: rows.reduce((sum, row) => sum + row.dead, 0),
  };
  return { side: "outbox", at: SAMPLE_NOW, rows, more: false, open, ...changes };
}
