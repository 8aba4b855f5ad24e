import { ApprovalsView } from "@/components/approvals/approvals-view";
import { ActionBar } from "@/components/messages/action-bar";
import { MessageView } from "@/components/messages/message-view";
import { OTHER_ID, sampleDeadLetter, sampleOutbox } from "@/components/messages/message-samples";
import { sampleAction } from "@/components/operation/operation-facts.samples";
import { inLive } from "@/components/parts/in-live";
import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import { PlanDecision } from "@/components/plans/plan-decision";
import { PlanStepDialog } from "@/components/plans/plan-dialogs";
import { samplePlan } from "@/components/plans/plan-facts.samples";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import type { PlanCorrection, PlanView } from "@/presentation/views/plans";
import { ChangeTable } from "./change-table";
import { CorrectForm, Editor } from "./correct-form";
import { CorrectView } from "./correct-view";
import { CorrectionLinks, CorrectionSection } from "./correction-section";
import { ShowValuesDialog } from "./show-values-dialog";

const NOTE =
  "The receiver refused all 12 attempts (webhook.http_422). The corrected message has a new id: to the receiver it is a new message.";
const DOUBT = "The receiver may have acted on it: 1 attempt ended without a clear refusal (webhook.timeout).";
const BODY = `{"id":"${SAMPLE_ID}","type":"payment.succeeded","tenant":"acme","data":{"amount":123456789012345.10,"currency":"EUR"}}`;
const CHANGES = [
  { path: "data.amount", kind: "changed", before: "123456789012345.10", after: '"123456789012345.10"' },
  { path: "data.lines[0].name", kind: "added", after: JSON.stringify("x".repeat(200)) },
  { path: "data.note", kind: "removed", before: "null" },
] as const;
const reveal = (whyNot?: string) => sampleAction("reveal_difference", "Show values", whyNot);
const correction = (changes: Partial<PlanCorrection> = {}): PlanCorrection => ({
  messageId: SAMPLE_ID,
  changes: CHANGES.map(({ path, kind }) => ({ path, kind })),
  bytes: 812,
  note: NOTE,
  reveal: reveal(),
  ...changes,
});
const plan = (changes: Partial<PlanView> = {}) =>
  samplePlan({
    kind: "correct_dead_letter",
    state: "awaiting_approval",
    scope: "message 0c1d2e3f",
    total: 1,
    acting: 1,
    counts: { waiting: 1, done: 0, skipped: 0, failed: 0 },
    results: { ...NO_RESULTS, waiting: 1 },
    verdicts: [],
    approvalNeeded: "A corrected message is only sent when a second person approves it.",
    correction: correction(),
    ...changes,
  });
const dead = (whyNot?: string) =>
  sampleOutbox({
    state: "dead",
    correctionNote: whyNot === undefined ? NOTE : undefined,
    actions: [sampleAction("requeue", "Requeue"), sampleAction("correct", "Edit and requeue", whyNot)],
  });
const editor = (body = BODY, notOffered?: string) =>
  onConnection(
    <Editor
      messageId={SAMPLE_ID}
      operationId={undefined}
      notOffered={notOffered}
      body={body}
      reason="a wrong amount"
    />,
  );
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

export const correctionParts: readonly Part[] = [
  {
    name: "ChangeTable",
    states: [
      {
        name: "with values",
        shows: <ChangeTable changes={CHANGES} values />,
        says: ["data.amount", "Changed", "123456789012345.10", "Added", "absent", "Removed"],
      },
      {
        name: "without values",
        shows: <ChangeTable changes={CHANGES} values={false} />,
        says: ["data.amount", "Changed", "Added", "Removed"],
        lacks: ["123456789012345", "Before", "After"],
      },
    ],
  },
  {
    name: "CorrectView",
    states: [
      {
        name: "offered",
        shows: onConnection(<CorrectView message={dead()} />),
        says: ["Edit and requeue.", "refused all 12 attempts", "Show and edit the body", "Reason, kept in the audit"],
        lacks: ["Not offered"],
      },
      {
        name: "its effect is unknown",
        shows: onConnection(<CorrectView message={dead(DOUBT)} />),
        says: ["Not offered", "may have acted on it", "Back to the message"],
        lacks: ["Show and edit the body", "Open the correction"],
      },
      {
        name: "another one waits",
        shows: onConnection(
          <CorrectView message={{ ...dead("A correction of it waits for approval."), correctionPlan: OTHER_ID }} />,
        ),
        says: ["A correction of it waits for approval.", "Open the correction"],
        has: [`a[href="/plans/${OTHER_ID}"]`],
      },
    ],
  },
  {
    name: "CorrectForm",
    states: [
      {
        name: "before the body is shown",
        shows: onConnection(<CorrectForm messageId={SAMPLE_ID} operationId={undefined} notOffered={undefined} />),
        says: ["Show and edit the body"],
        lacks: ["Corrected body", "Ask for approval"],
      },
      {
        name: "not offered",
        shows: onConnection(<CorrectForm messageId={SAMPLE_ID} operationId={undefined} notOffered={DOUBT} />),
        off: ["Show and edit the body"],
      },
    ],
  },
  {
    name: "Editor",
    states: [
      {
        name: "nothing changed",
        shows: editor(),
        says: ["Corrected body, JSON", "Difference", "Nothing is changed yet."],
        off: ["Ask for approval", "Undo all changes"],
      },
      {
        name: "not offered any more",
        shows: editor(BODY, "It is no longer dead."),
        says: ["It is no longer dead."],
        off: ["Ask for approval", "Undo all changes"],
      },
    ],
  },
  {
    name: "CorrectionSection",
    states: [
      {
        name: "waits",
        shows: onConnection(<CorrectionSection planId={SAMPLE_ID} correction={correction()} />),
        says: ["3 fields, corrected body of 812 bytes", "Corrects", "refused all 12 attempts", "Show values"],
        lacks: ["sent as", "123456789012345"],
      },
      {
        name: "sent, to a person who may not see values",
        shows: onConnection(
          <CorrectionSection
            planId={SAMPLE_ID}
            correction={correction({
              newMessageId: OTHER_ID,
              note: undefined,
              reveal: reveal("You can look, not act."),
            })}
          />,
        ),
        says: ["sent as", "Values not offered: You can look, not act."],
        has: [`a[href="/outbox/${OTHER_ID}"]`],
        off: ["Show values"],
      },
    ],
  },
  {
    name: "CorrectionLinks",
    states: [
      {
        name: "cannot be sent now",
        shows: <CorrectionLinks correction={correction({ note: undefined, whyNot: "It was published." })} />,
        says: ["Corrects", "It cannot be sent now: It was published."],
      },
    ],
  },
  {
    name: "ShowValuesDialog",
    states: [
      {
        name: "asks for a reason",
        search: "dialog=values",
        shows: inLive(<ShowValuesDialog path="/x" notOffered={undefined} />),
        says: ["Show the values of this correction?", "Looking is written down."],
      },
      {
        name: "not offered",
        search: "dialog=values",
        shows: inLive(<ShowValuesDialog path="/x" notOffered="The corrected body was deleted with its plan." />),
        says: ["The corrected body was deleted with its plan."],
        off: ["Show values"],
      },
    ],
  },
  {
    name: "PlanDecision of a correction",
    states: [
      {
        name: "may be approved",
        shows: onConnection(<PlanDecision plan={plan()} />),
        says: ["Approve and send", "Reject", "it has a new id", "one transaction"],
        lacks: ["judged again just before it acts", "Plan 1 again"],
      },
      {
        name: "the message moved meanwhile",
        shows: onConnection(<PlanDecision plan={plan({ correction: correction({ whyNot: "It was published." }) })} />),
        says: ["It was published."],
        off: ["Approve and send"],
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
        says: ["Approve, and send 1 corrected message?", "takes the place of the dead one", "refused all 12 attempts"],
      },
    ],
  },
  {
    name: "ApprovalsView with a correction",
    states: [
      {
        name: "may be approved",
        shows: approvals(),
        says: ["Edit and requeue", "data.amount", "Approve and send", "Open it"],
        lacks: ["123456789012345"],
      },
      {
        name: "the message moved meanwhile",
        shows: approvals("It was published."),
        says: ["It cannot be sent now: It was published."],
        off: ["Approve and send"],
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
        says: ["Corrected by a person.", "Another message was sent in its place.", "Corrected by"],
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
