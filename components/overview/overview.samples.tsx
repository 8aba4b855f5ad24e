import { sampleAttention } from "@/components/attention/attention.samples";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { InvariantRow, LoopRow } from "@/domain/checks/rows";
import type { OverviewView as Overview, WaitingRow } from "@/presentation/views/overview";
import { OverviewView } from "./overview-view";
import { sampleRisk } from "./risk.samples";

const invariant = (name: string, changes: Partial<InvariantRow> = {}): InvariantRow => ({
  name,
  label: `Check ${name}`,
  holds: true,
  checked: true,
  violations: 0,
  samples: [],
  ...changes,
});
const queue = (name: WaitingRow["name"], changes: Partial<WaitingRow>): WaitingRow => ({
  name,
  label: name,
  href: `/${name}`,
  open: 0,
  tone: "plain",
  ...changes,
});
const loop = (name: string, state: LoopRow["state"], error?: string): LoopRow => ({
  loop: name,
  instance: "worker-1",
  ageMs: 2_000,
  intervalMs: 1_000,
  state,
  error,
});
const money = { minor: "1200", amount: "12.00", currency: "EUR", display: "€12.00" };
const charts: Overview["charts"] = { range: "1h", bucketSeconds: 60, buckets: [SAMPLE_NOW], strips: [], incidents: [] };
const overview = (changes: Partial<Overview> = {}, asTable = false) =>
  inLive(
    <OverviewView
      address={{ path: "/", search: asTable ? { table: "true" } : {} }}
      view={{
        at: SAMPLE_NOW,
        verdict: { text: "All is well.", clauses: [{ text: "All is well.", tone: "fine" }] },
        notes: [],
        doubt: { count: 0, totals: [], rows: [] },
        risk: sampleRisk(),
        charts,
        late: [],
        waiting: [],
        invariants: { windowHours: 48, rows: [] },
        loops: [],
        ...changes,
      }}
    />,
  );

export const overviewParts: readonly Part[] = [
  {
    name: "OverviewView",
    states: [
      {
        name: "counted, and nobody came",
        shows: overview({ charts: { ...charts, rolledUpMs: 1_000 } }),
        says: ["No request was answered in the last hour."],
        lacks: ["not rolled up yet"],
      },
      {
        name: "new: nothing has happened",
        shows: overview(),
        says: [
          "Nothing is unknown.",
          "not rolled up yet",
          "0 of 0 hold",
          "not checked yet",
          "no worker has started yet",
        ],
        lacks: ["Open the queue", "See dead letters", "See the outbox"],
      },
      {
        name: "in doubt",
        shows: overview({
          notes: ["Nothing has been sent twice: no key has more than one execution."],
          doubt: {
            count: 3,
            totals: [{ money, count: 3 }],
            rows: [sampleAttention({ beingAsked: true }), sampleAttention({ operationId: "o2", money: undefined })],
          },
          waiting: [queue("dead_letters", { open: 4 })],
        }),
        says: ["by age × amount, 1 being asked now", "3 operations", "1 more", "Review", "Open the queue", "€12.00"],
        lacks: ["See dead letters", "Nothing is unknown."],
        has: [`a[href="/operations/${SAMPLE_ID}#settle"]`],
      },
      {
        name: "in doubt, of which some began in the window",
        shows: overview({
          risk: sampleRisk({ window: { from: "2026-11-22T14:00:00.000Z", to: "2026-11-22T14:12:00.000Z" } }),
          doubt: { count: 3, began: 2, totals: [{ money, count: 2 }], rows: [sampleAttention({})] },
        }),
        says: ["2 of 3 began in the window", "2 operations", "1 more", "14:00 to 14:12 UTC"],
      },
      {
        name: "in doubt, of which none began in the window",
        shows: overview({ doubt: { count: 3, began: 0, totals: [], rows: [] } }),
        says: ["None of what is in doubt now began in this window."],
        lacks: ["Nothing is unknown."],
      },
      {
        name: "dead letters",
        shows: overview({
          waiting: [
            queue("dead_letters", { open: 1, oldestMs: 60_000, usualMs: 10, tone: "doubt" }),
            queue("inbox", {}),
          ],
        }),
        says: ["See dead letters", "1 min", "none"],
        lacks: ["Open the queue"],
        has: ['[data-tone="doubt"]', 'table[aria-label="Queues"] th:nth-child(4)'],
      },
      {
        name: "the outbox stands still",
        shows: overview({ waiting: [queue("outbox", { open: 9, oldestMs: 900_000, tone: "broken" })] }),
        says: ["See the outbox"],
        has: ['a[href="/outbox?state=pending"]', '[data-tone="broken"]'],
        hasNot: ['table[aria-label="Queues"] th:nth-child(4)'],
      },
      {
        name: "one endpoint is late",
        shows: overview({
          late: [
            {
              side: "outbox",
              place: "webhook:e1",
              label: "webhook to shop.example",
              waiting: 9,
              oldestMs: 900_000,
              paused: false,
              disabled: false,
            },
          ],
          waiting: [queue("outbox", { open: 9, oldestMs: 900_000, tone: "broken" })],
        }),
        says: ["See webhook to shop.example"],
        lacks: ["See the outbox"],
        has: ['a[href="/topics/webhook%3Ae1"]'],
      },
      {
        name: "a stale lease comes before dead letters",
        shows: overview({ waiting: [queue("stale", { open: 1 }), queue("dead_letters", { open: 1 })] }),
        says: ["Open the queue"],
        lacks: ["See dead letters"],
      },
      {
        name: "invariants in each state",
        shows: overview({
          invariants: {
            windowHours: 48,
            checkedAt: SAMPLE_NOW,
            rows: [
              ...["a", "b", "c", "d", "e", "f"].map((name) => invariant(name)),
              invariant("red", { holds: false, violations: 2, samples: [{ id: SAMPLE_ID, href: "/operations/1" }] }),
              invariant("slow", { holds: false, checked: false, ageMs: 60_000 }),
            ],
          },
        }),
        says: ["6 of 8 hold", "2 violations", "Check slow", "the check took too long and was stopped", "and 1 more"],
        lacks: ["Check f", "not checked yet"],
        has: ['a[href="/operations/1"]'],
      },
      {
        name: "an invariant that was never run beside one that was",
        shows: overview({
          invariants: {
            windowHours: 48,
            checkedAt: SAMPLE_NOW,
            rows: [invariant("a"), invariant("new", { holds: false, checked: false })],
          },
        }),
        says: ["1 of 2 hold", "Check new", "Not checked yet."],
        lacks: ["took too long"],
      },
      {
        name: "loops that stopped, with the answers as a table",
        shows: overview(
          {
            loops: [loop("relay", "beating"), loop("consume", "late"), loop("roll_up", "stopped", "no disk")],
            charts: {
              ...charts,
              bucketSeconds: 3_600,
              replayRatio: 0.053,
              rolledUpMs: 5_000,
              strips: [
                { name: "executed", label: "Created", unit: "count", values: [3], now: 3, total: 3 },
                { name: "first_answer_p95", label: "First answer", unit: "ms", values: [null], now: null, total: 40 },
              ],
            },
          },
          true,
        ),
        says: ["2 not beating", "late, 2.00 s ago", "roll up", "last error no disk", "per hour", "5.3 % replays"],
        lacks: ["all beating", "No request was answered"],
      },
      {
        name: "all loops beat",
        shows: overview({ loops: [loop("relay", "beating")] }),
        says: ["all beating"],
        lacks: ["not beating"],
      },
    ],
  },
];
