import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { SourceFlightList, SourceFlightView as View, SourceStanding } from "@/presentation/views/sources";
import { BECAUSE, EARLIER, sampleRow, sampleSource } from "./source-facts.samples";
import { SourceFlightView } from "./source-flight-view";

const NONE: Readonly<Record<SourceStanding, number>> = { lock_ended: 0, old: 0, held: 0, young: 0, no_time: 0 };
const FACTS: Pick<SourceFlightList, "view" | "columns" | "states"> = {
  view: "outgoing",
  columns: [
    { name: "id", kind: "stored" },
    { name: "type", kind: "stored" },
    { name: "created_at", kind: "stored" },
    { name: "locked_until", kind: "derived", says: "Its start and the time that its queue gives it." },
    { name: "locked_by", kind: "not_stored", says: "It does not write which worker has a job." },
  ],
  states: [{ state: "in_progress", says: "A worker has it, or had it and did not come back." }],
};

function listOf(standings: readonly SourceStanding[], counts: Partial<typeof NONE> = {}): SourceFlightList {
  const rows = standings.map((standing, index) => {
    const row = sampleRow(`out:${String(index + 1)}`, "in_progress");
    return { ...row, standing, values: { ...row.values, locked_until: { kind: "time" as const, at: EARLIER } } };
  });
  return { ...FACTS, page: { kind: "rows", rows, counts: { ...NONE, ...counts } } };
}

const flight = (lists: View["lists"]) =>
  inLive(
    <SourceFlightView
      view={{ source: sampleSource({ inFlight: true }), at: SAMPLE_NOW, oldAfterMs: 900_000, lists }}
      address={{ path: "/sources/orders-db/in-flight", search: {} }}
    />,
  );

export const sourceFlightParts: readonly Part[] = [
  {
    name: "SourceFlightView",
    states: [
      {
        name: "one lock is stale, one is held",
        shows: flight([listOf(["lock_ended", "held"], { lock_ended: 1, held: 1 })]),
        says: [
          "2 rows are in flight.",
          "1 lock is stale.",
          "Stale lock",
          "Locked",
          "A worker has it, or had it and did not come back.",
          "Locked by",
          "– Not stored",
          "It does not write which worker has a job.",
          "Whether a process still works on it is not known here.",
        ],
        has: [
          'a[aria-current="page"][href="/sources/orders-db/in-flight"]',
          'a[href="/sources/orders-db/outbox?open=at-out:1"]',
        ],
        lacks: ["The oldest", "No lock is stale."],
      },
      {
        name: "more than are shown",
        shows: flight([listOf(["old"], { old: 130 })]),
        says: [
          "130 rows are in flight.",
          "130 rows without an end of a lock are older than 15 minutes.",
          "The oldest 1 of 130 messages.",
        ],
        has: ['a[href="/sources/orders-db/outbox?state=in_progress"]'],
      },
      {
        name: "nothing",
        shows: flight([listOf([])]),
        says: ["Nothing of orders-db is in flight.", "No row is in progress."],
        lacks: ["stale."],
      },
      {
        name: "not shown, because",
        shows: flight([{ ...FACTS, page: { kind: "not_shown", because: BECAUSE } }]),
        says: ["What is in flight in the list outbox is not shown.", BECAUSE],
        lacks: ["Nothing of orders-db"],
      },
    ],
  },
];
