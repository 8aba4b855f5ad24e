import { ApprovalsView } from "@/components/approvals/approvals-view";
import { ActionBar } from "@/components/messages/action-bar";
import { MessageView } from "@/components/messages/message-view";
import { OTHER_ID, sampleDeadLetter, sampleOutbox } from "@/components/messages/message-samples";
import { sampleAction } from "@/components/operation/operation-facts.samples";
import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import { PlanDecision } from "@/components/plans/plan-decision";
import { PlanStepDialog } from "@/components/plans/plan-dialogs";
import { DOUBT, correction, dead, plan } from "./correction-facts.samples";

const approvals = (whyNot?: string) =>
  onConnection(
    <ApprovalsView
      view={{
        waiting: [
          {
            ...plan({ correction: correction(whyNot === undefined ? {} : { whyNot, note: undefined }) }),
            own: false,
            decide: sampleAction("decide_plan", "Approve"),
          },
        ],
        count: 1,
        decided: [],
        at: SAMPLE_NOW,
      }}
    />,
  );

/** Where a correction shows on other pages. */
export const correctionPlaceParts: readonly Part[] = [
  {
    name: "PlanDecision of a correction",
    states: [
      {
        name: "may be approved",
        shows: onConnection(<PlanDecision plan={plan()} />),
        says: ["Approve and queue", "Reject", "it has a new id", "one transaction"],
        lacks: ["judged again just before it acts", "Plan 1 again"],
      },
      {
        name: "the message moved meanwhile",
        shows: onConnection(<PlanDecision plan={plan({ correction: correction({ whyNot: "It was published." }) })} />),
        says: ["It was published."],
        off: ["Approve and queue"],
      },
      {
        name: "rejected",
        shows: onConnection(
          <PlanDecision
            plan={plan({
              state: "rejected",
              endedAt: SAMPLE_NOW,
              rest: [{ result: "waiting", verdict: "refused", now: "acts", count: 1 }],
            })}
          />,
        ),
        says: ["It was rejected.", "correct it again on its own page"],
        lacks: ["Plan 1 again", "plan it again"],
      },
      {
        name: "dialog",
        search: "dialog=approve",
        shows: onConnection(<PlanStepDialog plan={plan()} name="approve" />),
        says: [
          "Approve, and queue 1 corrected message?",
          "takes the place of the dead one",
          "All 12 attempts were refused",
        ],
      },
    ],
  },
  {
    name: "ApprovalsView with a correction",
    states: [
      {
        name: "may be approved",
        shows: approvals(),
        says: ["Edit and requeue", "data.amount", "Approve and queue", "Open it for the whole difference."],
        lacks: ["123456789012345"],
      },
      {
        name: "the message moved meanwhile",
        shows: approvals("It was published."),
        says: ["It cannot be sent now: It was published."],
        off: ["Approve and queue"],
      },
    ],
  },
  {
    name: "A message that may be corrected",
    states: [
      {
        name: "offered",
        shows: onConnection(<ActionBar id={SAMPLE_ID} actions={dead().actions} />),
        says: ["Edit and requeue…"],
        lacks: ["ot offered"],
        has: [`a[href="/outbox/${SAMPLE_ID}/correct"]`],
      },
      {
        name: "not offered",
        shows: onConnection(<ActionBar id={SAMPLE_ID} actions={dead(DOUBT).actions} />),
        says: ["Edit and requeue not offered: The receiver may have acted on it"],
        off: ["Edit and requeue…"],
      },
      {
        name: "corrected",
        shows: onConnection(
          <MessageView
            message={sampleOutbox({
              state: "discarded",
              correctedBy: OTHER_ID,
              deadLetters: [
                sampleDeadLetter({ settlement: "corrected", correctedBy: OTHER_ID, requeuedAt: SAMPLE_NOW }),
              ],
            })}
          />,
        ),
        says: ["Corrected by a person.", "Another message took its place.", "Corrected by"],
        lacks: ["Discarded by a person."],
        has: [`a[href="/outbox/${OTHER_ID}"]`],
      },
      {
        name: "waits for a second person, and corrects another",
        shows: onConnection(
          <MessageView message={sampleOutbox({ state: "dead", corrects: OTHER_ID, correctionPlan: SAMPLE_ID })} />,
        ),
        says: ["Corrects", "waits for a second person"],
        has: [`a[href="/plans/${SAMPLE_ID}"]`, `a[href="/outbox/${OTHER_ID}"]`],
      },
    ],
  },
];
