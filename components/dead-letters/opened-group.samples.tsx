import { sampleAction } from "@/components/operation/operation-facts.samples";
import { inLive } from "@/components/parts/in-live";
import type { Part } from "@/components/parts/part";
import type { DeadLetterFilters } from "@/domain/lists/filters";
import type { DeadLetterGroup, DeadLettersView as View } from "@/presentation/views/dead-letters";
import { DeadLettersDialogs } from "./dead-letters-dialogs";
import { sampleCause, sampleDeadLetters } from "./dead-letters.samples";
import { OpenedGroup } from "./opened-group";
import { SelectionActions } from "./selection-actions";

const REFUSED = "You need the role operator.";
const ADDRESS = { path: "/dead-letters", search: {} };
const FILTERS: DeadLetterFilters = { settled: false, sort: "last", all: false };
const safe = { glyph: "proven", tone: "proven", text: "Safe to requeue." } as const;

const PAGER = ["Newer", "Older"];
const opened = (group: Partial<DeadLetterGroup>, changes: Partial<View> = {}) =>
  inLive(
    <OpenedGroup view={sampleDeadLetters(changes)} group={sampleCause(group)} address={ADDRESS} opened={undefined} />,
  );
const dialogs = inLive(
  <DeadLettersDialogs view={sampleDeadLetters({ group: sampleCause() })} filters={FILTERS} asked={undefined} />,
);

export const openedGroupParts: readonly Part[] = [
  {
    name: "OpenedGroup",
    states: [
      {
        name: "all are safe",
        shows: opened({ count: 12, judged: 12, verdicts: { safe: 12 } }),
        says: ["All 12 are safe to requeue now.", "Plan a discard of all 12"],
        lacks: ["The others", "Topic"],
        off: PAGER,
        has: ['a[href*="dialog=plan%3Arequeue%3Agroup"]'],
      },
      {
        name: "safe, likely to die again, and both reasons once",
        shows: opened({
          count: 12,
          judged: 12,
          verdicts: { safe: 12 },
          outlooks: { dies: 10, unknown: 2 },
          reasons: [
            { of: "safe", said: safe, count: 12 },
            { of: "outlook", said: { glyph: "dead", tone: "broken", text: "Its endpoint was deleted." }, count: 10 },
          ],
        }),
        says: [
          "All 12 are safe to requeue now. Outlook: 2 not known, 10 likely to die again.",
          "10: Its endpoint was deleted.",
        ],
        off: PAGER,
      },
      {
        name: "one, under a name of its own",
        shows: opened({ place: "webhook:e1", placeLabel: "webhook to shop.example" }),
        says: ["It is safe to requeue now.", "Plan a requeue of it", "Topic", "webhook:e1"],
        off: PAGER,
        has: ['a[href="/topics/webhook%3Ae1"]'],
      },
      {
        name: "some of the newest are safe",
        shows: opened({ count: 1_200, judged: 10, verdicts: { safe: 4, moved: 6 } }),
        says: ["4 of the newest 10 are safe to requeue now. The others: 6 "],
        off: PAGER,
      },
      {
        name: "none is safe, and this person may not",
        shows: opened(
          { count: 2, judged: 2, verdicts: { leased: 2 } },
          { plan: sampleAction("requeue", "Requeue", REFUSED) },
        ),
        says: ["None of 2 is safe to requeue now. The others: 2 ", `Not offered: ${REFUSED}`],
        off: [...PAGER, "Plan a discard of all 2", "Plan a requeue of all 2"],
      },
      {
        name: "none is open any more",
        shows: opened({ count: 0, judged: 0, verdicts: {} }),
        says: ["None of them is open any more.", "Not offered: None of them is open."],
        off: [...PAGER, "Plan a discard of all 0", "Plan a requeue of all 0"],
      },
    ],
  },
  {
    name: "SelectionActions",
    states: [
      {
        name: "offered",
        shows: <SelectionActions whyNot={undefined} />,
        says: ["Plan a requeue", "Plan a discard"],
      },
      {
        name: "this person may not",
        shows: <SelectionActions whyNot={REFUSED} />,
        says: [REFUSED],
        off: ["Plan a requeue", "Plan a discard"],
      },
    ],
  },
  {
    name: "DeadLettersDialogs",
    states: [
      {
        name: "a plan of everything",
        search: "dialog=plan:requeue:all",
        shows: dialogs,
        says: ["Plan to requeue 1 message", "not before the plan is started"],
      },
      {
        name: "a plan of one cause",
        search: "dialog=plan:discard:group",
        shows: dialogs,
        says: ["every message of delivery.http_500 at payments", "A discard cannot be taken back"],
      },
      {
        name: "a message that is not dead any more",
        search: "dialog=outbox:m9",
        shows: dialogs,
        says: ["It is not among the dead messages on this page."],
        off: ["Requeue 1 message"],
      },
    ],
  },
];
