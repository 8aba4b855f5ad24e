import { axisStretches, axisTicks, type ChainView, type LanesView, type MiniChainView } from "@/domain/chain";
import type { StripSeries } from "@/components/charts/types";

export const NOW = "2026-11-19T14:43:20.000Z";
const day = (clock: string): number => Date.parse(`2026-11-19T${clock}Z`);

export const UNKNOWN_CHAIN: ChainView = {
  stations: [
    {
      name: "Key",
      glyph: "executed",
      time: "14:02:09.114",
      id: "till-7-order-88213-pay-1",
      facts: ["claimed once, by till-web"],
      spoken: "Key: claimed once at 14:02:09",
      way: { kind: "solid", duration: "3 ms" },
    },
    {
      name: "Operation",
      glyph: "executed",
      time: "14:02:09.117",
      id: "01a1f41d-635a-7175-b834-688aaec1e627",
      facts: ["sent at fence 1, now no owner"],
      spoken: "Operation: started 14:02:09",
      way: { kind: "solid", duration: "264 ms" },
    },
    {
      name: "Provider",
      glyph: "unknown",
      time: "14:02:09.381",
      id: "provider_payment_01a1f41d-635d-7184-8c9b-307922d6b47d",
      facts: ["sent once, no answer in 10 s"],
      spoken: "Provider: sent 14:02:09, no answer, 41 minutes",
      way: { kind: "doubt", duration: "41 min 11 s" },
    },
    {
      name: "Outbox",
      glyph: "empty",
      presence: "off",
      facts: ["no row", "due 2 s after", "the answer"],
      spoken: "Outbox: no row",
    },
    { name: "Inbox", glyph: "empty", presence: "off", facts: ["no row", "consumer ledger"], spoken: "Inbox: no row" },
    {
      name: "Ledger",
      glyph: "empty",
      presence: "off",
      facts: ["no entry", "2 due"],
      spoken: "Ledger: no entry, 2 due",
    },
  ],
  gap: {
    after: 2,
    tone: "doubt",
    facts: ["nothing recorded", "after the send"],
    spoken: "Gap: nothing recorded after the send",
  },
};

export const DEAD_CHAIN: ChainView = {
  stations: [
    {
      name: "Key",
      glyph: "executed",
      time: "11:31:04.512",
      facts: [],
      spoken: "Key claimed",
      way: { kind: "solid", duration: "3 ms" },
    },
    {
      name: "Operation",
      glyph: "executed",
      facts: ["claimed once"],
      spoken: "Operation",
      way: { kind: "solid", duration: "188 ms" },
    },
    {
      name: "Provider",
      glyph: "executed",
      facts: ["called once, answered"],
      spoken: "Provider",
      way: { kind: "solid", duration: "5 ms" },
    },
    {
      name: "Outbox",
      glyph: "dead",
      facts: ["dead, last answer 503"],
      spoken: "Outbox dead",
      way: { kind: "broken", duration: "3 h 12 min" },
    },
    { name: "Inbox", glyph: "empty", presence: "off", facts: ["no row"], spoken: "Inbox: no row" },
    { name: "Ledger", glyph: "empty", presence: "off", facts: ["no entry"], spoken: "Ledger: no entry" },
  ],
  gap: { after: 3, tone: "broken", facts: ["never arrived"], spoken: "Gap: never arrived" },
};

export const LOCAL_CHAIN: ChainView = {
  stations: [
    {
      name: "Key",
      glyph: "executed",
      time: "14:42:42.108",
      facts: [],
      spoken: "Key claimed",
      way: { kind: "solid", duration: "2 ms" },
    },
    {
      name: "Operation",
      glyph: "executed",
      facts: ["one transaction"],
      spoken: "Operation",
      way: { kind: "through", duration: "7 ms" },
    },
    {
      name: "Provider",
      glyph: "empty",
      presence: "absent",
      facts: ["not part of this path"],
      spoken: "Provider: not part of this path",
    },
    {
      name: "Outbox",
      glyph: "published",
      tone: "ink",
      facts: ["published, attempt 1"],
      spoken: "Outbox published",
      way: { kind: "solid", duration: "38 ms" },
    },
    { name: "Inbox", glyph: "recorded", facts: ["recorded 1 s ago"], spoken: "Inbox recorded", way: { kind: "due" } },
    { name: "Ledger", glyph: "empty", presence: "off", facts: ["due in 2 s"], spoken: "Ledger due" },
  ],
};

const requests = ["14:02:09.114", "14:02:11.302", "14:02:14.018", "14:02:24.040"].map(day);
const late = ["14:03:31.226", "14:12:02.480", "14:31:40.007"].map(day);
const lookups = [
  "14:05:00",
  "14:08:20",
  "14:13:30",
  "14:18:00",
  "14:23:00",
  "14:28:00",
  "14:34:00",
  "14:39:30",
  "14:42:41",
].map(day);
const end = day("14:43:20");

const STRETCHES = axisStretches([...requests, ...late, ...lookups], end);

export const LANES: LanesView = {
  stretches: STRETCHES,
  ticks: axisTicks(STRETCHES),
  now: end,
  lanes: [
    {
      name: "Requests",
      items: [...requests, ...late].map((at, i) => ({
        kind: "mark",
        at,
        glyph: i === 1 || i === 2 ? "in_progress" : i === 5 ? "conflict" : "unknown",
        title: `request ${String(i + 1)}`,
      })),
    },
    {
      name: "Lease",
      items: [
        {
          kind: "bar",
          from: day("14:02:09.114"),
          to: day("14:02:19.114"),
          tone: "ink",
          label: "fence 1, api-3",
          title: "fence 1",
        },
        {
          kind: "bar",
          from: day("14:02:19.200"),
          to: day("14:02:26"),
          tone: "doubt",
          label: "released as unknown",
          title: "released",
        },
        ...lookups.map((at) => ({ kind: "tick" as const, at, title: "look-up" })),
      ],
    },
    {
      name: "Provider",
      items: [
        {
          kind: "way",
          from: day("14:02:09.381"),
          to: day("14:02:19.381"),
          tone: "doubt",
          capped: true,
          title: "no answer",
        },
        { kind: "mark", at: day("14:02:09.381"), glyph: "executed", title: "sent" },
        { kind: "note", at: day("14:02:19.6"), text: "timeout, 10 s", tone: "doubt", place: "beside" },
        ...lookups.map((at) => ({ kind: "mark" as const, at, glyph: "replayed" as const, title: "look-up" })),
        {
          kind: "note",
          at: lookups[0] ?? end,
          text: "9 look-ups by the same key, each “processing”",
          tone: "quiet",
          place: "below",
        },
      ],
    },
    {
      name: "Evidence",
      items: [
        { kind: "mark", at: day("14:06:31"), glyph: "recorded", tone: "proven", title: "webhook" },
        {
          kind: "note",
          at: day("14:06:31"),
          text: "signed webhook payment.succeeded",
          tone: "proven",
          place: "beside",
        },
      ],
    },
  ],
  spoken: "Seven requests, one provider call that timed out after ten seconds, nine look-ups and one signed webhook",
};

export const MINI_OK: MiniChainView = ["done", "done", "done", "done", "done", "done"];
export const MINI_UNKNOWN: MiniChainView = ["done", "done", "unknown", "missing", "missing", "missing"];
export const MINI_MOVING: MiniChainView = ["done", "done", "moving", "waiting", "waiting", "waiting"];
export const MINI_REFUSED: MiniChainView = ["done", "done", "refused", "not_due", "not_due", "not_due"];
export const MINI_LOCAL: MiniChainView = ["done", "done", "unused", "done", "done", "done"];
export const MINI_DEAD: MiniChainView = ["done", "done", "done", "done", "dead", "missing"];

const BUCKETS = 72;
export const TIMES = Array.from({ length: BUCKETS }, (_, i) => new Date(day("08:45:00") + i * 300_000).toISOString());
const wave = (i: number): number => 860 + 80 * Math.sin(i / 9) + ((i * 37) % 40);
const peak = (i: number, normal: number, high: number): number => (i === 64 || i === 65 ? high : normal);

export const SERIES: readonly StripSeries[] = [
  {
    id: "executed",
    label: "Executed",
    glyph: "executed",
    draw: "bars",
    color: "executed",
    values: TIMES.map((_, i) => peak(i, wave(i), 520)),
    now: "949",
    total: "68,430",
  },
  {
    id: "replayed",
    label: "Replayed",
    glyph: "replayed",
    draw: "outline",
    color: "replayed",
    values: TIMES.map((_, i) => peak(i, 40 + ((i * 13) % 9), 360)),
    now: "40",
    total: "4,221",
  },
  {
    id: "progress",
    label: "In progress",
    glyph: "in_progress",
    draw: "bars",
    color: "in-progress",
    values: TIMES.map((_, i) => peak(i, i % 3, 120)),
    now: "6",
    total: "628",
  },
  {
    id: "conflict",
    label: "Conflict",
    glyph: "conflict",
    draw: "bars",
    color: "conflict",
    values: TIMES.map((_, i) => ((i * 7) % 11 === 0 ? (i % 2) + 1 : 0)),
    now: "0",
    total: "28",
  },
  {
    id: "expired",
    label: "Expired retry",
    glyph: "expired_retry",
    draw: "bars",
    color: "expired",
    values: TIMES.map((_, i) => (i % 17 === 10 ? 1 : 0)),
    now: "0",
    total: "7",
  },
  {
    id: "unknown",
    label: "New unknown",
    glyph: "unknown",
    draw: "dashed",
    color: "unknown",
    values: TIMES.map((_, i) => peak(i, 0, 28 - (i % 2) * 8)),
    now: "0",
    total: "48",
  },
  {
    id: "p95",
    label: "First answer, p95",
    draw: "line",
    color: "ink",
    unit: "ms",
    values: TIMES.map((_, i) => peak(i, 240, 10_000)),
    now: "240 ms",
    total: "10.0 s max",
  },
  {
    id: "oldest",
    label: "Oldest in outbox",
    draw: "line",
    color: "ink",
    unit: "ms",
    values: TIMES.map((_, i) => (i > 68 ? (i - 68) ** 2 * 48_000 : 3000)),
    now: "7:12",
    total: "7:12 max",
    nowTone: "broken",
  },
];
