import { SAMPLE_NOW } from "@/components/parts/part";
import type {
  SourceColumn,
  SourceHead,
  SourceListView as ListView,
  SourceRowView,
  SourceView as View,
} from "@/presentation/views/sources";

/** Before now. */
export const EARLIER = "2026-11-22T12:00:00.000000Z";
/** Why a list of a long table is not shown. */
export const BECAUSE =
  "Not shown: PostgreSQL estimates a cost of 1,204,000, more than 20,000. It would read all of published.";

const text = (value: string, cut = false) => ({ kind: "text" as const, text: value, cut });
const time = { kind: "time" as const, at: EARLIER };

/** An attached database. */
export function sampleSource(changes: Partial<SourceHead> = {}): SourceHead {
  return {
    ...{ id: "s1", name: "orders-db", shown: "db:5432/orders", title: "CAP", preset: "cap", at: SAMPLE_NOW },
    installedAs: "onceboard_attach",
    views: ["outgoing", "dead"],
    inFlight: false,
    acts: {
      requeue: { offered: true, says: "CAP sends it at its next pass." },
      discard: { offered: false, says: "CAP has no state for it." },
      purge: { offered: true },
    },
    ...changes,
  };
}

/** Stored, derived and not stored. */
export const COLUMNS: readonly SourceColumn[] = [
  { name: "id", kind: "stored" },
  { name: "type", kind: "stored" },
  { name: "raw_state", kind: "stored" },
  { name: "attempts", kind: "stored" },
  { name: "error_message", kind: "stored" },
  { name: "created_at", kind: "derived", says: "CAP writes the local time of its server; its zone was given." },
  { name: "sent_at", kind: "not_stored", says: "CAP does not write when a message was sent." },
];

/** A message. @param error what it failed with */
export const sampleRow = (id: string, state: string, error?: string): SourceRowView => ({
  id,
  place: `at-${id}`,
  state,
  values: {
    id: text(id),
    type: text("orders.paid"),
    raw_state: text("Failed"),
    attempts: text("50"),
    error_message: error === undefined ? undefined : text(error),
    created_at: time,
    sent_at: undefined,
  },
});

/** A page of its outbox. */
export function sampleList(changes: Partial<ListView> = {}): ListView {
  return {
    source: sampleSource(),
    at: SAMPLE_NOW,
    view: "outgoing",
    columns: COLUMNS,
    states: [
      { state: "sent", says: "A handler had it." },
      { state: "dead", says: "It was tried as often as it may be." },
    ],
    page: {
      kind: "rows",
      rows: [sampleRow("out:2", "sent"), sampleRow("out:1", "dead", "timeout\n at x")],
      next: "older",
    },
    ...changes,
  };
}

/** Its overview. */
export function sampleView(changes: Partial<View> = {}): View {
  return {
    source: sampleSource(),
    at: SAMPLE_NOW,
    ...{ attachedAt: EARLIER, attachedBy: "Ada", constants: { max_attempts: "50" }, notes: ["`Scheduled` is both."] },
    lists: (["outgoing", "dead"] as const).map((view) => ({
      view,
      columns: COLUMNS,
      states: [{ state: "dead", says: "" }],
    })),
    range: "1h",
    buckets: ["2026-11-22T14:20:00.000Z", "2026-11-22T14:25:00.000Z"],
    gauges: [],
    notCounted: [],
    cutOffs: [],
    ...changes,
  };
}
