import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import { ItemVerdictTable, Marks, rowsPerMark } from "./item-verdict-table";
import { PlanFace } from "./plan-face";
import { askedPlan, ranPlan, samplePlan, sampleVerdict, ITEMS_PROPS, samplePlanItems } from "./plan-facts.samples";
import { PlanItems } from "./plan-items";

export const planItemParts: readonly Part[] = [
  {
    name: "ItemVerdictTable",
    states: [
      {
        name: "before it runs",
        shows: <ItemVerdictTable plan={samplePlan()} />,
        says: ["What it would do", "one mark is one row", "Requeued under the same id", "A person looks at both"],
        lacks: ["Ended"],
      },
      {
        name: "while it runs",
        shows: <ItemVerdictTable plan={samplePlan({ startedAt: SAMPLE_NOW, state: "running" })} />,
        says: ["What it does", "Ended", "6 to go"],
      },
      {
        name: "after it ran, with more rows than marks",
        shows: (
          <ItemVerdictTable
            plan={ranPlan({ verdicts: [sampleVerdict({ count: 400, verdict: "processed" }, "done")] })}
          />
        ),
        says: ["What it did", "one mark is about 10 rows", "400 requeued"],
      },
      {
        name: "what each kind does",
        shows: (
          <ItemVerdictTable
            plan={samplePlan({
              kind: "reconcile_operations",
              verdicts: [
                sampleVerdict({ verdict: "ask" }),
                sampleVerdict({ verdict: "free" }),
                sampleVerdict({ verdict: "expired" }),
                sampleVerdict({ verdict: "processed" }),
                sampleVerdict({ verdict: "ask", acts: false }),
              ],
            })}
          />
        ),
        says: [
          "A final answer is stored",
          "nothing is sent",
          "Command and answer deleted",
          "Closed as delivered",
          "Left alone",
          "Leave: ",
        ],
      },
      {
        name: "discarded",
        shows: <ItemVerdictTable plan={samplePlan({ kind: "discard_dead_letters" })} />,
        says: ["Discarded; row"],
      },
    ],
  },
  {
    name: "PlanItems",
    states: [
      {
        name: "none in this view",
        shows: onConnection(<PlanItems plan={samplePlan()} {...ITEMS_PROPS} />),
        says: ["No row of this plan matches.", "Waiting6", "Left alone2"],
        lacks: ["Failed", "Changed since", "Done"],
        hasNot: ["table"],
      },
      {
        name: "messages",
        shows: onConnection(<PlanItems plan={samplePlan({ items: samplePlanItems({}) })} {...ITEMS_PROPS} />),
        says: ["payment.succeeded", "Shop", "Nobody has recorded it.", "In their order, 50 a page"],
        lacks: ["Amount", "Ended", "only "],
        off: ["Newer", "Older"],
        has: ['a[href="/outbox/out-1"]'],
      },
      {
        name: "operations that were looked up in the dry run",
        shows: onConnection(
          <PlanItems
            plan={askedPlan({
              items: samplePlanItems(
                {
                  label: { kind: "Payment", key: "order-7" },
                  verdict: "ask",
                  lookUp: "fails",
                  lookUpDetail: "declined: insufficient_funds",
                  lookedUpAt: SAMPLE_NOW,
                },
                {
                  label: { kind: "Payment", key: "order-8" },
                  verdict: "ask",
                  lookUp: "not_asked",
                  lookUpDetail: "down",
                },
                {
                  label: { kind: "Payment", key: "order-9" },
                  verdict: "ask",
                  lookUp: "fails",
                  result: "succeeded",
                  outcome: "Settled: it succeeded.",
                  otherwise: true,
                },
              ),
            })}
            {...ITEMS_PROPS}
          />,
        ),
        says: [
          "Would fail",
          "The provider says: declined: insufficient_funds.",
          "Not asked: down.",
          "Settled: it succeeded. Answered otherwise than in the dry run (would fail).",
          "14:30:00",
        ],
        lacks: ["Outcome"],
        off: ["Newer", "Older"],
      },
      {
        name: "operations that were asked about",
        shows: onConnection(
          <PlanItems
            plan={ranPlan({
              kind: "reconcile_operations",
              changed: 1,
              results: { ...NO_RESULTS, succeeded: 1, unknown: 1, done: 1 },
              items: samplePlanItems({
                label: { kind: "Payment", key: "order-7" },
                verdict: "ask",
                result: "succeeded",
                outcome: "Found.",
                endedAt: SAMPLE_NOW,
                amount: { minor: "1200", amount: "12.00", currency: "EUR", display: "€12.00" },
              }),
            })}
            address={ITEMS_PROPS.address}
            filters={{ show: "all", verdict: "ask" }}
          />,
        ),
        says: ["Succeeded1", "Declined0", "Stayed unknown1", "€12.00", "Found.", "Ended", "Changed since1", ", only "],
        lacks: ["Nobody has recorded it."],
        off: ["Newer", "Older"],
        has: ['a[href^="/operations/"]'],
      },
      {
        name: "ended before they were reached",
        shows: onConnection(
          <PlanItems
            plan={ranPlan({ state: "aborted", counts: { waiting: 2, done: 4, skipped: 0, failed: 2 } })}
            {...ITEMS_PROPS}
          />,
        ),
        says: ["Untouched2", "Done4", "Failed2", "Skipped2"],
      },
    ],
  },
  {
    name: "PlanFace",
    states: [
      {
        name: "quiet in glyph and word",
        shows: <PlanFace face={{ glyph: "skipped", tone: "quiet", word: "Left alone" }} />,
        says: ["Left alone"],
        has: ['svg[data-tone="quiet"]'],
      },
      {
        name: "stayed unknown is filled",
        shows: <PlanFace face={{ glyph: "UNKNOWN_REQUIRES_RECOVERY", tone: "doubt", word: "Stayed unknown" }} />,
        hasNot: ["span[data-tone]"],
      },
      {
        name: "any other has its tone",
        shows: <PlanFace face={{ glyph: "dead", tone: "broken", word: "Failed" }} />,
        has: ['span[data-tone="broken"]'],
      },
    ],
  },
  {
    name: "Marks",
    states: [
      {
        name: "a mark a row",
        shows: (
          <Marks
            most={3}
            parts={[
              { result: "succeeded", count: 2 },
              { result: "unknown", count: 1 },
            ]}
          />
        ),
        has: ['g:nth-child(2)[data-result="succeeded"]', 'g:nth-child(3)[data-result="unknown"]'],
        hasNot: ["g:nth-child(4)"],
      },
      {
        name: "many rows share their marks, and the few keep one",
        shows: (
          <>
            <Marks
              most={4_000}
              parts={[
                { result: "succeeded", count: 4_000 },
                { result: "failed", count: 1 },
                { result: "left", count: 0 },
              ]}
            />{" "}
            {rowsPerMark(4_000)}
          </>
        ),
        says: ["100"],
        has: ['g:nth-child(40)[data-result="succeeded"]', 'g:nth-child(41)[data-result="failed"]'],
        hasNot: ["g:nth-child(42)"],
      },
    ],
  },
];
