import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { PlanView as Plan } from "@/presentation/views/plans";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import { CanaryTable } from "./canary-table";
import { AnswersTable, LookUpProgress } from "./answers-table";
import { askedPlan, sampleCanaryRow, HUGE_AMOUNT, YEN_AMOUNT } from "./plan-facts.samples";

const answers = (plan: Plan) => plan.asking && <AnswersTable plan={plan} asking={plan.asking} />;

export const planAnswerParts: readonly Part[] = [
  {
    name: "AnswersTable",
    states: [
      {
        name: "asked, before anybody agrees",
        shows: answers(askedPlan()),
        says: [
          "What would become of them",
          "Would complete",
          "€612.40",
          "Would fail",
          "Still unknown",
          "left out of the run",
          "15",
          "€940.55",
        ],
        has: ['g[data-result="unknown"]'],
      },
      {
        name: "being asked",
        shows: answers(
          askedPlan({
            asking: {
              state: "asking",
              answers: [
                { answer: "not_asked", count: 1, amounts: [], results: NO_RESULTS, otherwise: 0 },
                { answer: "waiting", count: 14, amounts: [YEN_AMOUNT], results: NO_RESULTS, otherwise: 0 },
              ],
            },
          }),
        ),
        says: ["Not asked yet", "No answer could be had: asked again when it runs", "¥500"],
      },
      {
        name: "ran, one answered otherwise, two currencies and a large amount",
        shows: answers(
          askedPlan({
            state: "done",
            startedAt: SAMPLE_NOW,
            endedAt: SAMPLE_NOW,
            asking: {
              state: "stopped",
              answers: [
                {
                  answer: "completes",
                  count: 2,
                  amounts: [HUGE_AMOUNT, YEN_AMOUNT],
                  results: { ...NO_RESULTS, succeeded: 1, declined: 1 },
                  otherwise: 1,
                },
                { answer: "frees", count: 1, amounts: [], results: { ...NO_RESULTS, done: 1 }, otherwise: 0 },
                { answer: "waiting", count: 1, amounts: [], results: { ...NO_RESULTS, waiting: 1 }, otherwise: 0 },
              ],
            },
          }),
        ),
        says: [
          "What the provider said before it ran",
          "1 settled as succeeded, 1 settled as declined; 1 answered otherwise",
          "€999,999,999,999,999.99 and ¥500",
          "Not asked",
        ],
        lacks: ["Not asked yet"],
      },
    ],
  },
  {
    name: "CanaryTable",
    states: [
      {
        name: "before it runs",
        shows: <CanaryTable now={SAMPLE_NOW} canary={{ state: "due", rows: [] }} />,
        hasNot: ["*"],
      },
      {
        name: "out, tried twice",
        shows: (
          <CanaryTable
            now={SAMPLE_NOW}
            canary={{ state: "due", rows: [sampleCanaryRow({ attempts: 2, lastError: "http.503" })] }}
          />
        ),
        says: [
          "Canary",
          "to see what becomes of it",
          "Waiting",
          "Still waiting since 14:02:09 UTC, tried twice, last error http.503.",
        ],
        lacks: ["mend the cause"],
        has: ['a[href="/outbox/out-1"]'],
      },
      {
        name: "two destinations, one failed",
        shows: (
          <CanaryTable
            now={SAMPLE_NOW}
            canary={{
              state: "failed",
              rows: [
                sampleCanaryRow({ answer: "delivered", detail: "delivered" }),
                sampleCanaryRow({
                  messageId: "out-2",
                  place: "mail",
                  placeName: undefined,
                  answer: "died",
                  detail: "http.410",
                }),
                sampleCanaryRow({ messageId: "in-1", side: "inbox", answer: "delivered", detail: "handled" }),
                sampleCanaryRow({ messageId: "out-3", answer: "silent", detail: "somebody discarded it" }),
                sampleCanaryRow({ messageId: "out-4", paused: true }),
              ],
            }}
          />
        ),
        says: [
          "Canaries",
          "one for each destination",
          "Came through",
          "Delivered.",
          "Handled.",
          "Died again: http.410.",
          "Did not come through: somebody discarded it.",
          "its topic is paused",
          "Look at why it failed, mend the cause, then plan the rest again.",
        ],
      },
    ],
  },
  {
    name: "LookUpProgress",
    states: [
      {
        name: "under way",
        shows: (
          <LookUpProgress
            asking={{
              state: "asking",
              beganAt: SAMPLE_NOW,
              answers: [
                { answer: "completes", count: 12, amounts: [], results: NO_RESULTS, otherwise: 0 },
                { answer: "waiting", count: 25, amounts: [], results: NO_RESULTS, otherwise: 0 },
              ],
            }}
          />
        ),
        says: ["12 of 37 looked up", "At most 20 a second; stops after 5 minutes."],
        has: ['[role="progressbar"][aria-valuenow="12"][aria-valuemax="37"]'],
      },
      {
        name: "no worker has begun",
        shows: <LookUpProgress asking={{ state: "asking", answers: [] }} />,
        says: ["Waits for a worker."],
      },
      { name: "ended", shows: <LookUpProgress asking={{ state: "asked", answers: [] }} />, hasNot: ["*"] },
    ],
  },
];
