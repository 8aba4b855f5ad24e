import { sampleDeadLetter } from "@/components/messages/message-samples";
import { sampleAction } from "@/components/operation/operation-facts.samples";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { DeadLetterFilters } from "@/domain/lists/filters";
import type { DeadLetterGroup, DeadLetterRow, DeadLettersView as View } from "@/presentation/views/dead-letters";
import { DeadLetterGroups } from "./dead-letter-groups";
import { DeadLetterRows } from "./dead-letter-rows";
import { DeadLettersView } from "./dead-letters-view";

const REFUSED = "You need the role operator.";
const ADDRESS = { path: "/dead-letters", search: {} };
const FILTERS: DeadLetterFilters = { settled: false, sort: "last", all: false };
const safe = { glyph: "proven", tone: "proven", text: "Safe to requeue." } as const;
const deadLetter = sampleDeadLetter({ safe });

export function sampleCause(changes: Partial<DeadLetterGroup> = {}): DeadLetterGroup {
  return {
    key: "outbox.payments.f7",
    fingerprint: "f7",
    side: "outbox",
    place: "payments",
    placeLabel: "payments",
    errorCode: "delivery.http_500",
    error: "Internal",
    count: 1,
    settled: 0,
    firstAt: "2026-11-22T13:00:00.000000Z",
    lastAt: "2026-11-22T14:00:00.000000Z",
    types: ["payment.succeeded"],
    attempts: 8,
    operations: 1,
    verdicts: { safe: 1 },
    outlooks: { unknown: 1 },
    judged: 1,
    reasons: [],
    ...changes,
  };
}

/** One dead letter that is open. */
export function sampleDeadLetters(changes: Partial<View> = {}): View {
  return {
    at: SAMPLE_NOW,
    open: 1,
    matching: { count: 1, more: false },
    groups: [sampleCause()],
    causes: 1,
    moreGroups: false,
    verdicts: { safe: 1 },
    outlooks: { unknown: 1 },
    judged: 1,
    rows: { rows: [deadLetter], at: SAMPLE_NOW },
    requeue: sampleAction("requeue", "Requeue"),
    discard: sampleAction("discard", "Discard"),
    plan: sampleAction("requeue", "Requeue"),
    ...changes,
  };
}

const none = { groups: [], causes: 0, matching: { count: 0, more: false }, verdicts: {}, judged: 0 };
const page = (changes: Partial<View> = {}, filters: Partial<DeadLetterFilters> = {}) =>
  inLive(
    <DeadLettersView
      view={sampleDeadLetters(changes)}
      filters={{ ...FILTERS, ...filters }}
      problems={[]}
      address={ADDRESS}
      facts={{ page: "dead-letters", tenant: "acme", views: [] }}
      opened={undefined}
    />,
  );
const causes = (group: Partial<DeadLetterGroup>, opened?: DeadLetterGroup) =>
  inLive(
    <DeadLetterGroups
      view={sampleDeadLetters({ groups: [sampleCause(group)], group: opened })}
      filters={FILTERS}
      address={ADDRESS}
    />,
  );
const rows = (row: Partial<DeadLetterRow>, changes: Partial<View> = {}) =>
  inLive(
    <DeadLetterRows
      view={sampleDeadLetters({ rows: { rows: [{ ...deadLetter, ...row }], at: SAMPLE_NOW }, ...changes })}
      group={sampleCause()}
      address={ADDRESS}
      opened={undefined}
    />,
  );
const PAGER = ["Newer", "Older"];

export const deadLetterParts: readonly Part[] = [
  {
    name: "DeadLettersView",
    states: [
      {
        name: "none is open",
        shows: page({ ...none, open: 0 }),
        says: ["No message is dead.", "No dead letter is open.", "Show them", "Include settled"],
        lacks: ["Causes", "Clear the filters", "Dead messages are kept", "open in all", "No dead letter matches"],
      },
      {
        name: "none of a place",
        shows: page({ ...none, open: 3 }, { place: "mail" }),
        says: ["3 messages are dead.", "No dead letter matches.", "3 open in all.", "Clear the filters"],
        lacks: ["safe to requeue", "No dead letter is open"],
      },
      {
        name: "none, also of the settled ones",
        shows: page({ ...none, open: 0 }, { settled: true }),
        says: ["settled since"],
        lacks: ["Show them", "Include settled"],
      },
      {
        name: "one cause",
        shows: page(),
        says: [
          "1 message is dead.",
          "1 is safe to requeue now.",
          "1, last seen first",
          "1 open message of 1 cause.",
          "judged",
        ],
        lacks: ["Plan a requeue of all of them", "Show all", "first.", "looked at", "No dead letter", "choose a side"],
      },
      {
        name: "two of three causes of a side, not all judged",
        shows: page(
          {
            open: 1_200,
            matching: { count: 1_100, more: false },
            groups: [sampleCause(), sampleCause({ key: "k2" })],
            causes: 3,
            judged: 100,
            verdicts: { safe: 60, moved: 40 },
          },
          { side: "outbox", sort: "count" },
        ),
        says: [
          "Of 100 looked at, 60 are safe to requeue now.",
          "40 would not be sent or handled again now.",
          "2 of 3, largest first",
          "verdicts of the newest of each, 100 in all",
          "Show all 3 causes",
          "1,100 open messages of 3 causes",
        ],
        has: ['a[href*="dialog=plan%3Arequeue%3Aall"]'],
      },
      {
        name: "all of two causes, which this person may not requeue",
        shows: page({
          groups: [sampleCause(), sampleCause({ key: "k2" })],
          causes: 2,
          plan: sampleAction("requeue", "Requeue", REFUSED),
        }),
        says: [REFUSED],
        off: ["Plan a requeue of all of them"],
      },
      {
        name: "more causes than are shown",
        shows: page({ moreGroups: true }, { all: true }),
        says: ["1+, last seen first", "More than are shown: choose a side or a place."],
      },
      {
        name: "some of more causes than a page reads",
        shows: page({ causes: 50, moreGroups: true }),
        says: ["1 of 50+, last seen first", "Show 50 causes"],
        lacks: ["Show all"],
      },
      {
        name: "more messages than are looked at",
        shows: page({ matching: { count: 10_000, more: true } }),
        says: ["More than 10,000 messages match.", "Only payments"],
        lacks: ["open messages of"],
      },
      {
        name: "safe, and not likely to get through",
        shows: page({
          open: 51,
          matching: { count: 51, more: false },
          judged: 51,
          verdicts: { safe: 51 },
          outlooks: { dies: 51 },
        }),
        says: ["51 are safe to requeue now. Outlook: 51 likely to die again."],
      },
      {
        name: "with the opened cause",
        shows: page({ group: sampleCause() }),
        says: ["It is safe to requeue now."],
        off: PAGER,
      },
    ],
  },
  {
    name: "DeadLetterGroups",
    states: [
      {
        name: "of the outbox",
        shows: causes({}),
        says: ["delivery.http_500", "1 safe", "1 not known"],
        lacks: ["settled before", "of the newest"],
        hasNot: ["tr[data-current]"],
      },
      {
        name: "of the inbox, opened, some settled before",
        shows: causes({ side: "inbox", placeLabel: "ledger", count: 1_200, settled: 3 }, sampleCause()),
        says: ["handled by ledger", "1,200", "3 settled before", "of the newest 1"],
        has: ["tr[data-current]"],
      },
    ],
  },
  {
    name: "DeadLetterRows",
    states: [
      {
        name: "both are allowed",
        shows: rows({ operationId: SAMPLE_ID }),
        says: ["Safe to requeue."],
        lacks: ["Internal"],
        off: PAGER,
        has: [
          `a[href*="dialog=discard%3Aoutbox%3A${SAMPLE_ID}"]`,
          `a[href*="dialog=outbox%3A${SAMPLE_ID}"]`,
          `a[href="/operations/${SAMPLE_ID}"]`,
        ],
      },
      {
        name: "both judgements, which the group does not say",
        shows: rows({ outlook: { glyph: "dead", tone: "broken", text: "It dies.", brief: "Dies" } }),
        says: ["Safe to requeue.", "It dies."],
        lacks: ["Dies"],
        off: PAGER,
      },
      {
        name: "both would leave it alone",
        shows: rows({ requeueNot: "Still leased.", discardNot: "It is under way." }),
        says: ["Still leased.", "It is under way."],
        off: [...PAGER, "Discard", "Requeue"],
        hasNot: ['a[href^="/operations/"]'],
      },
      {
        name: "this person may not",
        shows: rows(
          { requeueNot: "Still leased." },
          {
            requeue: sampleAction("requeue", "Requeue", REFUSED),
            discard: { ...sampleAction("discard", "Discard"), allowed: false },
          },
        ),
        says: [REFUSED, "Not offered now."],
        lacks: ["Still leased."],
        off: [...PAGER, "Discard", "Requeue"],
      },
      {
        name: "with another error than its cause names",
        shows: rows({ errorCode: "delivery.http_502", error: "Bad gateway" }),
        says: ["delivery.http_502: Bad gateway"],
        off: PAGER,
      },
      {
        name: "settled",
        shows: rows({ requeuedAt: SAMPLE_NOW, settlement: "closed" }),
        says: ["closed"],
        lacks: ["Discard", "Requeue"],
        off: PAGER,
      },
    ],
  },
];
