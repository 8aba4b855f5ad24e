import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { ConflictDetail, ConflictGroup } from "@/presentation/views/conflicts";
import { ConflictPane } from "./conflict-pane";
import { ConflictsView, type ConflictsViewProps } from "./conflicts-view";

const OTHER_ID = SAMPLE_ID.replace(/.$/, "c");
const group: ConflictGroup = {
  client: "shop",
  operation: "payments.create",
  kind: "Payment",
  route: "POST /payments",
  count: 2,
  firstAt: "2026-11-22T10:00:00Z",
  lastAt: "2026-11-22T14:00:00Z",
  spark: [1, 1],
  differingFields: ["amount"],
  eventIds: [SAMPLE_ID, OTHER_ID],
};
const mark = { mark: "ours", note: "a bug of the till", by: "Ada", at: "2026-11-22T12:00:00Z", newer: 1 } as const;
const money = { minor: "1200", amount: "12.00", currency: "EUR", display: "€12.00" };

export function sampleConflict(changes: Partial<ConflictDetail> = {}): ConflictDetail {
  return {
    at: SAMPLE_NOW,
    eventId: SAMPLE_ID,
    operationId: OTHER_ID,
    key: "order-1",
    operation: "payments.create",
    kind: "Payment",
    route: "POST /payments",
    verdict: { text: "Ten times.", clauses: [{ text: "Ten times.", tone: "conflict" }] },
    first: { at: "2026-11-22T13:00:00Z", client: "shop", outcome: "claimed", state: "COMPLETED" },
    second: { at: "2026-11-22T14:00:00Z", client: "shop", outcome: "conflict", status: 409, fingerprint: "9f2c" },
    laterMs: 3_600_000,
    sameClient: true,
    valuesShown: true,
    meaning: [{ field: "amount", first: "4.00 EUR", second: "40.00 EUR", said: "ten times the first" }],
    form: [],
    same: [],
    message: "Make one key per action.",
    requests: [],
    answers: { answers: ["executed", "conflict"], total: 2 },
    group,
    patterns: { shares: [], read: 0 },
    ...changes,
  };
}

const pane = (changes: Partial<ConflictDetail> = {}, of: ConflictGroup | undefined = group) =>
  inLive(<ConflictPane detail={sampleConflict(changes)} group={of} />);
const conflicts = (groups: readonly ConflictGroup[], changes: Partial<ConflictsViewProps> = {}, more = false) =>
  inLive(
    <ConflictsView
      view={{ at: SAMPLE_NOW, from: SAMPLE_NOW, to: SAMPLE_NOW, total: 1_000, more, groups }}
      opened={groups.length === 0 ? undefined : { name: SAMPLE_ID, value: sampleConflict() }}
      filters={{ range: "24h" }}
      problems={[]}
      address={{ path: "/conflicts", search: {} }}
      facts={{ page: "conflicts", tenant: "acme", views: [] }}
      {...changes}
    />,
  );

export const conflictParts: readonly Part[] = [
  {
    name: "ConflictsView",
    states: [
      {
        name: "none in the last day",
        shows: conflicts([]),
        says: ["No key was used for two commands in 24 hours.", "Show 7 days"],
        lacks: ["Drop"],
      },
      {
        name: "none of both filters, in a time of its own",
        shows: conflicts([], {
          filters: {
            range: "7d",
            from: "2026-11-20T00:00:00Z",
            to: "2026-11-21T00:00:00Z",
            client: "shop",
            operation: "payments.create",
          },
        }),
        says: ["No conflict matches these filters in this time.", "Drop both filters", "Looked at", "Show 24 hours"],
      },
      {
        name: "a group with the open conflict",
        shows: conflicts([group, { ...group, client: "till", count: 1, differingFields: [] }]),
        says: ["1,000 in 24 hours", "differs in amount", "since", "which fields differ was not kept"],
        lacks: ["were read and grouped", "Only the newest", "1 of 2+", "no such conflict"],
        has: ['li[aria-current="true"]', 'article[aria-label="Conflict of shop"]'],
      },
      {
        name: "more than were read, and marked",
        shows: conflicts([{ ...group, mark }], {}, true),
        says: [
          "1,000+ in 24 hours",
          "1 of 2+",
          "Only the newest 1,000 were read and grouped.",
          "1 new since it was marked",
          "ours: a bug of the till",
        ],
      },
      {
        name: "the open one is gone",
        shows: conflicts([group], { opened: { name: SAMPLE_ID, value: "gone" } }),
        says: ["There is no such conflict here.", "Show the newest"],
      },
    ],
  },
  {
    name: "ConflictPane",
    states: [
      {
        name: "the newest of two",
        shows: pane(),
        says: [
          "1 of 2",
          "Older",
          "sent twice by one client",
          "Mark as client fault or ours",
          "refused, 409",
          "claimed",
        ],
        lacks: ["Newer", "Differs in form only, alone"],
        has: ["mark"],
      },
      {
        name: "alone in its group",
        shows: pane(
          {
            patterns: { shares: [], read: 1 },
            group: { ...group, count: 1 },
            answers: { answers: ["conflict"], total: 1 },
            sameClient: false,
            reference: "ref-1",
          },
          { ...group, eventIds: [SAMPLE_ID] },
        ),
        says: ["The only one in this group", "sent once by two clients", "reference"],
        lacks: ["Older", "Newer", "Walk with"],
      },
      {
        name: "many, marked",
        shows: pane({
          eventId: OTHER_ID,
          mark,
          patterns: { shares: [{ name: "amount_x10", label: "ten times", count: 2 }], read: 2 },
          answers: { answers: ["conflict"], total: 12 },
        }),
        says: ["Newer", "Marked ours", "1 conflict since.", "Change the mark", "All 2 in this group", "sent 12 times"],
        lacks: ["Older"],
      },
      {
        name: "this person may not mark it or see values",
        shows: pane({
          markNot: "Needs operator.",
          valuesShown: false,
          valuesNote: "Your role sees names only.",
          meaning: [{ field: "amount" }],
          form: [{ field: "memo", first: undefined, second: "x", said: "default applied" }],
          same: [{ field: "account", first: SAMPLE_ID, second: SAMPLE_ID }],
        }),
        says: ["Needs operator.", "Your role sees names only.", "Differs in form only, alone", "absent", "Same"],
        lacks: ["Change the mark", "Mark as client fault"],
        hasNot: ["dialog"],
      },
      {
        name: "every request of the key",
        shows: pane({
          requests: [
            { eventId: "r1", outcome: "executed", at: SAMPLE_NOW, status: 201, money },
            { eventId: OTHER_ID, outcome: "conflict", at: SAMPLE_NOW, status: 409 },
            { eventId: SAMPLE_ID, outcome: "conflict", at: SAMPLE_NOW, status: 409 },
          ],
        }),
        has: ['tr[aria-current="true"]', `table[aria-label^="Requests"] a[href*="${OTHER_ID}"]`],
        hasNot: [`tr[aria-current="true"] a`],
      },
    ],
  },
];
