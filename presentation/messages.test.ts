import { describe, expect, it } from "vitest";
import { buildCauses } from "./message/message-causes";
import { buildMessageChain } from "./message/message-chain";
import { shownHeaders } from "./message/message-headers";
import type { MessageContext } from "./message/message-context";
import { buildPlaceChart } from "./message/place-chart";
import { placeVerdict } from "./message/place-verdict";
import { placesVerdict } from "./message/places-verdict";
import { NOW, outboxRowSample } from "./testing/record";
import { topicLabel } from "@/domain/messages/topic-label";
import { routeProblem, isTopicName } from "@/domain/messages/topic-route";
import type { InboxRow } from "./views/inbox";
import type { NotificationRow } from "./views/messages";
import type { PlaceRow } from "./views/places";

const AT = NOW;
const WRITTEN = "2026-11-19T14:02:10.000000Z";
const openOf = (rows: readonly PlaceRow[]) => ({
  waiting: rows.reduce((sum, row) => sum + row.waiting, 0),
  dead: rows.reduce((sum, row) => sum + row.dead, 0),
});
const place = (parts: Partial<PlaceRow> = {}): PlaceRow => ({
  side: "outbox",
  place: "payments",
  label: "payments",
  waiting: 0,
  failing: 0,
  dead: 0,
  alone: 0,
  hour: { succeeded: 0, failed: 0, dead: 0, spark: [] },
  ...parts,
});
const arrived = (state: InboxRow["state"], parts: Partial<InboxRow> = {}): InboxRow => ({
  id: "i1",
  consumer: "ledger",
  source: "onceboard",
  messageId: "m1",
  type: "payment.succeeded",
  state,
  receivedAt: "2026-11-19T14:02:11.000000Z",
  ageMs: 0,
  processedAt: state === "processed" ? "2026-11-19T14:02:12.000000Z" : undefined,
  result: state === "processed" ? "ok" : undefined,
  duplicates: 0,
  mismatches: 0,
  attempts: state === "dead" ? 5 : 1,
  unfinished: 0,
  maxAttempts: 5,
  alone: false,
  ...parts,
});
const note = (parts: Partial<NotificationRow> = {}): NotificationRow => ({
  id: "n1",
  key: "receipt_payment_p1",
  kind: "receipt",
  state: "sent",
  attempts: 1,
  createdAt: WRITTEN,
  outboxId: "m2",
  mail: true,
  ...parts,
});
const story = (parts: Partial<MessageContext> = {}): MessageContext => ({
  at: AT,
  here: { side: "outbox", id: "m1" },
  operation: { id: "o1", kind: "Payment", state: "COMPLETED", client: "till-web", money: "€42.00", createdAt: WRITTEN },
  outbox: [outboxRowSample("published")],
  inbox: [],
  ledger: [],
  notifications: [],
  ...parts,
});
const ENTRY = {
  id: "l1",
  entryType: "payment",
  sourceId: "p1",
  debitAccount: "a",
  creditAccount: "b",
  money: { minor: "4200", amount: "42.00", currency: "EUR", display: "€42.00" },
  postedAt: "2026-11-19T14:02:12.000000Z",
};

describe("what is wrong at topics and consumers (MESSAGE-1)", () => {
  const write = (...rows: readonly PlaceRow[]): string =>
    placesVerdict({ side: rows[0]?.side ?? "outbox", rows, at: AT, open: openOf(rows) }).text;
  it("says first what stands still, and that nothing is lost", () => {
    const paused = { at: "2026-11-19T14:39:20.000000Z", by: "Mira", reason: "" };
    expect(write(place({ paused, waiting: 12, oldestMs: 400_000 }))).toBe(
      "Topic payments paused 4 minutes ago: 12 wait, none is lost. 12 messages wait.",
    );
    expect(write(place({ outage: "delivery.broker_unavailable", waiting: 3_312, oldestMs: 240_000 }))).toBe(
      "Topic payments: at the last try its destination was not reachable. 3,312 wait, none is lost, the oldest for 4 minutes. 3,312 messages wait.",
    );
    const failing = { failing: 12, waiting: 12, nextFailingAt: "2026-11-19T14:43:27.400000Z" } as const;
    expect(write(place({ side: "inbox", place: "ledger", label: "ledger", ...failing }))).toBe(
      "Consumer ledger: 12 failing, next attempt in 8 s. 12 messages wait to be handled.",
    );
  });
  it("counts together what is too much to name", () => {
    const rows = ["a", "b", "c"].map((label) => place({ label, place: label, failing: 2, waiting: 2 }));
    expect(write(...rows)).toBe("6 are failing at 3 topics, tried again now. 6 messages wait.");
  });
  it("does not call the oldest of what waits what is younger than a paused one", () => {
    const paused = { at: "2026-11-19T14:39:20.000000Z", by: "Mira", reason: "" };
    const rows = [
      place({ paused, waiting: 1, oldestMs: 36_000_000 }),
      place({ place: "b", label: "b", waiting: 1, oldestMs: 120_000 }),
    ];
    expect(write(...rows)).toBe(
      "Topic payments paused 4 minutes ago: one waits, none is lost. 2 messages wait, the oldest elsewhere for 2 minutes.",
    );
  });
  it("says nothing of an hour that is not counted", () => {
    for (const rolledUpMs of [undefined, 300_000])
      expect(placeVerdict({ row: place(), at: AT, rolledUpMs }).text).toBe(
        "Nothing waits in topic payments. What was published in the last hour is not counted yet.",
      );
  });
  it("is quiet when nothing is wrong", () => {
    expect(write(place())).toBe("Nothing waits in the outbox.");
    const hour = { succeeded: 1_204, failed: 0, dead: 0, lagP95Ms: 320, spark: [] };
    expect(placeVerdict({ row: place({ hour }), at: AT, rolledUpMs: 20_000 }).text).toBe(
      "Nothing waits in topic payments. Published 1,204 messages in the last hour, lag p95 up to 320 ms.",
    );
    expect(placesVerdict({ side: "inbox", rows: [], at: AT, open: openOf([]) }).text).toBe(
      "Nothing waits in the inbox.",
    );
  });
  it("says what is dead beside what does not wait", () => {
    const rows = [place({ side: "inbox", place: "ledger", label: "ledger", dead: 9 })];
    expect(write(...rows)).toBe("Nothing waits in the inbox. 9 messages are dead.");
  });
});

describe("the chain through one message (MESSAGE-1)", () => {
  it("goes from the operation to the ledger and to whoever was told, each line under its cause", () => {
    const mail = { ...outboxRowSample("published"), id: "m2", topic: "mail", topicLabel: "mail", notification: true };
    const causes = buildCauses(
      story({
        outbox: [outboxRowSample("published"), mail],
        inbox: [arrived("processed"), arrived("processed", { id: "i2", consumer: "receipts" })],
        ledger: [ENTRY],
        notifications: [note()],
      }),
    );
    expect(causes.map(({ depth, what }) => [depth, what])).toEqual([
      [0, "Payment €42.00"],
      [1, "payment.succeeded"],
      [2, "ledger"],
      [3, "Ledger entry €42.00"],
      [2, "receipts"],
      [3, "Receipt by mail"],
      [4, "payment.succeeded"],
    ]);
    expect(causes.filter(({ here }) => here).map(({ id }) => id)).toEqual(["outbox m1"]);
    expect(causes.some(({ gap }) => gap)).toBe(false);
  });
  it("draws what is missing as a gap", () => {
    const gaps = (parts: Partial<MessageContext>) =>
      buildCauses(story(parts))
        .filter(({ gap }) => gap)
        .map(({ what, tone }) => [what, tone]);
    expect(gaps({ outbox: [outboxRowSample("dead", 12)] })).toEqual([["Not delivered", "broken"]]);
    expect(gaps({ outbox: [outboxRowSample("published")] })).toEqual([["No inbox row here", undefined]]);
    expect(gaps({ inbox: [arrived("dead")] })).toEqual([["No effect", "broken"]]);
    expect(gaps({ outbox: [outboxRowSample("pending")] })).toEqual([]);
    expect(buildMessageChain(story({ outbox: [outboxRowSample("dead", 12)] })).gap).toMatchObject({
      after: 1,
      tone: "broken",
    });
    expect(buildMessageChain(story({ inbox: [arrived("dead")] })).gap).toMatchObject({ after: 2, tone: "broken" });
    expect(buildMessageChain(story({ outbox: [outboxRowSample("pending")] })).gap).toBeUndefined();
  });
  it("is whole when it is handled, and begins at the sender of what came from elsewhere", () => {
    const whole = buildMessageChain(story({ inbox: [arrived("processed")], ledger: [ENTRY] }));
    expect(whole.stations.map(({ name, way }) => [name, way?.kind])).toEqual([
      ["Operation", "solid"],
      ["Outbox", "solid"],
      ["Inbox", "solid"],
      ["Effects", undefined],
    ]);
    const foreign = buildMessageChain(
      story({
        here: { side: "inbox", id: "i1" },
        operation: undefined,
        outbox: [],
        inbox: [arrived("recorded", { messageId: "evt_1", source: "provider" })],
      }),
    );
    expect(foreign.stations.map(({ name }) => name)).toEqual(["Sender", "Inbox", "Effects"]);
    expect(foreign.stations[1]?.way).toEqual({ kind: "due" });
  });
  it("a notification goes from its event to its receiver", () => {
    const mail = {
      ...outboxRowSample("published"),
      id: "m2",
      topicLabel: "mail",
      notification: true,
      publishedAt: WRITTEN,
    };
    const chain = buildMessageChain(
      story({
        here: { side: "outbox", id: "m2" },
        outbox: [outboxRowSample("published"), mail],
        notifications: [note()],
      }),
    );
    expect(chain.stations.map(({ name }) => name)).toEqual(["Operation", "Event", "Outbox", "Receiver"]);
    expect(chain.stations.at(-1)?.facts).toEqual(["mail", "the mail server accepted it"]);
  });
});

it("shows headers of the list, never a signature", () => {
  const { headers, hiddenHeaders } = shownHeaders({ "webhook-signature": "v1,abc", "webhook-id": "m1", envelope: "x" });
  expect(headers.map(({ name }) => name)).toEqual(["envelope", "webhook-id"]);
  expect(hiddenHeaders).toBe(1);
});

it("names an endpoint's topic by its host, and refuses destinations that cannot be used", () => {
  expect(topicLabel("webhook:0198", "https://hooks.shop.example:8443/in?key=1")).toBe(
    "webhook to hooks.shop.example:8443/in",
  );
  expect(topicLabel("webhook:0198", "https://hooks.shop.example/services/T0001/a-secret")).toBe(
    "webhook to hooks.shop.example/services/T00…",
  );
  expect(topicLabel("webhook:0198aaaa-0000")).toBe("webhook to 0198aaaa…");
  expect(topicLabel("payments")).toBe("payments");
  expect(routeProblem("http", "https://events.example/in")).toBeUndefined();
  expect(routeProblem("nats", "events.payments")).toBeUndefined();
  expect(routeProblem("rabbitmq", "events")).toBeUndefined();
  const subject =
    "A destination for NATS is a full subject, like events.payments, without wildcards or a $ at its beginning.";
  const exchange =
    "A destination for RabbitMQ is the name of an exchange: letters, digits, dot, colon, dash, underscore.";
  const topic =
    "A destination for Kafka is the name of a topic: at most 249 letters, digits, dots, dashes and underscores.";
  expect(routeProblem("kafka", "billing.events")).toBeUndefined();
  expect(["a b", "..", "x".repeat(250), ""].map((each) => routeProblem("kafka", each))).toEqual(
    Array.from({ length: 4 }, () => topic),
  );
  const url = "A destination for HTTP is a whole URL that begins with https:// or http://.";
  const most = (characters: number) => `A destination of this transport has at most ${String(characters)} characters.`;
  expect([
    ...["events.>", "events.*", "events..payments", "$SYS.events"].map((each) => routeProblem("nats", each)),
    ...["events/key", "events key", ""].map((each) => routeProblem("rabbitmq", each)),
    ...["events.example/in", "ftp://events.example/", "mailto:a@b.example"].map((each) => routeProblem("http", each)),
    ...["https://user:pw@events.example/", "https://user@events.example/", "https://events.example/#in"].map((each) =>
      routeProblem("http", each),
    ),
  ]).toEqual([
    ...Array.from({ length: 4 }, () => subject),
    ...Array.from({ length: 3 }, () => exchange),
    ...Array.from({ length: 3 }, () => url),
    ...Array.from({ length: 2 }, () => "A destination must not hold a user or a password."),
    "A destination must not have a fragment.",
  ]);
  for (const [transport, begins, characters] of [
    ["http", "https://events.example/", 500],
    ["nats", "events.", 255],
    ["rabbitmq", "events.", 255],
  ] as const) {
    expect(routeProblem(transport, begins.padEnd(characters, "x"))).toBeUndefined();
    expect(routeProblem(transport, begins.padEnd(characters + 1, "x"))).toBe(most(characters));
  }
  expect(["payments", "webhook:0198-a", "", " ", "a/b", "x".repeat(201)].map(isTopicName)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

it("lays roll-ups on the axis: no messages count 0 and have no lag (CHART-2)", () => {
  const chart = buildPlaceChart({
    range: "1h",
    end: "2026-11-19T14:43:00.000000Z",
    rolledUpMs: 5,
    samples: [
      { bucket: "2026-11-19T14:42:00.000000Z", succeeded: 7, failed: 1, dead: 0, lagP95Ms: 12.5, lagMaxMs: 40 },
      { bucket: "2026-11-19T13:43:00.000000Z", succeeded: 3, failed: 0, dead: 1, lagP95Ms: 900, lagMaxMs: 950 },
    ],
    measured: ["2026-11-19T13:43:00.000000Z", "2026-11-19T13:44:00.000000Z"],
    latest: { bucket: "2026-11-19T14:41:00.000000Z", succeeded: 9, failed: 0, dead: 0, lagP95Ms: 11 },
  });
  expect(chart.buckets).toHaveLength(60);
  expect(chart.strips.map(({ name, now, total }) => [name, now, total])).toEqual([
    ["succeeded", 9, 10],
    ["failed", 0, 1],
    ["dead", 0, 1],
    ["lag_p95", 11, 900],
    ["lag_max", null, 950],
  ]);
  // A minute without messages is 0, one that was not rolled up is a gap.
  expect(chart.strips[0]?.values.slice(0, 3)).toEqual([3, 0, null]);
  expect(chart.strips[3]?.values.slice(0, 2)).toEqual([900, null]);
});
