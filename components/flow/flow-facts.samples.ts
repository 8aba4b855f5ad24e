import { SAMPLE_NOW } from "@/components/parts/part";
import { buildFlow, type FlowInput } from "@/presentation/flow/build-flow";
import type { SentPart, TakenPart } from "@/presentation/flow/flow-parts";
import type { FlowView, FlowWindow } from "@/presentation/views/flow";
import type { PlaceRow } from "@/presentation/views/places";
import { samplePlace } from "@/components/messages/message-samples";

/** A place with what it did in the minute, and what feeds it. */
export interface SampleFlowPlace extends Partial<Omit<PlaceRow, "side" | "place">> {
  /** Messages a minute. */
  readonly rate: number;
  readonly usual?: number | undefined;
  readonly from: Readonly<Record<string, number>>;
}

export interface SampleFlow {
  readonly topics?: Readonly<Record<string, SampleFlowPlace>>;
  readonly consumers?: Readonly<Record<string, SampleFlowPlace>>;
  /** Mail and merchants' endpoints by their topic. */
  readonly ends?: Readonly<Record<string, SampleFlowPlace>>;
}

const SOURCE = "provider-";

/** As the read makes it, of these places. */
export function sampleFlow(
  { topics = {}, consumers = {}, ends = {} }: SampleFlow,
  changes: Partial<Omit<FlowInput, "window">> & { readonly window?: FlowWindow } = {},
): FlowView {
  const rows = [
    ...Object.entries({ ...topics, ...ends }).map(([place, of]) =>
      samplePlace({ ...rowOf(of), place, label: of.label ?? place }),
    ),
    ...Object.entries(consumers).map(([place, of]) =>
      samplePlace({ ...rowOf(of), side: "inbox", place, label: of.label ?? place }),
    ),
  ];
  const sent = [
    ...parts(topics, (topic, operation, count): SentPart => ({ topic, operation, count })),
    ...parts(ends, (topic, origin, count): SentPart => ({ topic, origin, count })),
  ];
  const taken = parts(consumers, (consumer, from, count): TakenPart => {
    const own = !from.startsWith(SOURCE);
    const entries = consumer === "ledger" ? count : 0;
    return {
      consumer,
      source: own ? "onceboard" : from,
      own,
      topic: own ? from : undefined,
      count,
      processed: count,
      entries,
    };
  });
  return buildFlow({
    at: SAMPLE_NOW,
    window: "now",
    minutes: { measured: 1, of: 1 },
    rows,
    done: ({ side, place }) => {
      const of = side === "inbox" ? consumers[place] : (topics[place] ?? ends[place]);
      return { done: of?.rate ?? 0, usual: of?.usual };
    },
    sent: { window: sent.filter(({ topic }) => (topics[topic] ?? ends[topic])?.rate !== 0), known: sent },
    taken: { window: taken.filter(({ consumer }) => consumers[consumer]?.rate !== 0), known: taken },
    held: new Map(),
    endpoints: new Map(),
    ends: (topic) => (topic in ends ? (topic === "mail" ? "leaves as e-mail" : "leaves by webhook") : undefined),
    outside: new Map(),
    written: rows.length > 0,
    undrawn: { looked: 90, silent: 0, all: true },
    more: false,
    rolledUpMs: 12_000,
    ...changes,
  });
}

function rowOf({ rate: _, usual: _usual, from: _from, ...row }: SampleFlowPlace): Partial<PlaceRow> {
  return row;
}

function parts<Part>(
  places: Readonly<Record<string, SampleFlowPlace>>,
  part: (place: string, from: string, count: number) => Part,
): readonly Part[] {
  return Object.entries(places).flatMap(([place, { from }]) =>
    Object.entries(from).map(([name, count]) => part(place, name, count)),
  );
}

export const HOOK_BRANDT = "webhook:0197a000-0000-7000-8000-00000000000b";
export const HOOK_LUMEN = "webhook:0197a000-0000-7000-8000-00000000000c";

/** The hour of the drawing: one account stands still, an endpoint answers 503, another is paused. */
export const BUSY_FLOW: SampleFlow = {
  topics: {
    payments: {
      rate: 84,
      usual: 90,
      from: { "payments.create": 76, "payments.void": 3, "refunds.create": 5 },
      waiting: 196,
      dead: 1,
      oldestMs: 432_000,
    },
    accounts: { rate: 4, usual: 4, from: { "accounts.open": 4 } },
  },
  consumers: {
    ledger: { rate: 61, usual: 63, from: { payments: 61 } },
    receipts: { rate: 52, usual: 52, from: { payments: 48, accounts: 4 }, dead: 2, waiting: 11, oldestMs: 41_000 },
    webhooks: { rate: 88, usual: 94, from: { payments: 84, accounts: 4 } },
    "provider-webhook": { rate: 12, from: { "provider-sandbox": 12 } },
  },
  ends: {
    mail: { rate: 36, usual: 36, from: { payments: 32, accounts: 4 }, waiting: 2, oldestMs: 1_000, transport: "mail" },
    [HOOK_BRANDT]: {
      label: "webhook to brandt.example/hooks",
      rate: 5,
      usual: 6,
      from: { payments: 5 },
      waiting: 2,
      failing: 2,
      oldestMs: 98_000,
      nextFailingAt: "2026-11-22T14:30:38.000000Z",
    },
    [HOOK_LUMEN]: {
      label: "webhook to lumen.example",
      rate: 0,
      usual: 4,
      from: { payments: 4 },
      waiting: 3,
      oldestMs: 38_000,
      paused: { at: "2026-11-22T14:29:22.000000Z", by: "Mira Okafor", reason: "their deploy" },
    },
  },
};
export const BUSY_HELD = new Map([
  ["payments", { waiting: 188, here: 188, lines: 1, what: "account", oldestMs: 432_000 }],
]);

const LONG = "a-name-of-two-hundred-characters-".repeat(6);

/** Sixty topics with twenty in trouble, and names of two hundred characters. */
export const CROWDED_FLOW: SampleFlow = {
  topics: Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `${LONG}${String(index).padStart(2, "0")}`,
      {
        rate: index,
        from: { [`operation-${String(index % 12).padStart(2, "0")}`]: index },
        waiting: index % 3 === 0 ? 1_000_000 + index : 0,
        oldestMs: index % 3 === 0 ? 90_000_000 : undefined,
        dead: index % 6 === 0 ? 10_000 : 0,
      },
    ]),
  ),
  consumers: Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `consumer-${LONG}${String(index).padStart(2, "0")}`,
      { rate: 1_000 * index, from: { [`${LONG}${String(index).padStart(2, "0")}`]: 1_000 * index } },
    ]),
  ),
};
