import { OTHER_ID } from "@/components/messages/message-samples";
import { inLive } from "@/components/parts/in-live";
import { onConnection } from "@/components/parts/live-samples";
import { SAMPLE_ID, type Part } from "@/components/parts/part";
import { ChangeTable } from "./change-table";
import { CorrectForm, Editor } from "./correct-form";
import { CorrectView } from "./correct-view";
import { CorrectionLinks, CorrectionSection } from "./correction-section";
import { ShowValuesDialog } from "./show-values-dialog";
import { BODY, CHANGES, DOUBT, correction, dead, reveal } from "./correction-facts.samples";

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
        says: [
          "Edit and requeue.",
          "All 12 attempts were refused",
          "Show and edit the body",
          "Reason, kept in the audit",
          "takes the place of this one, once a second person approves it.",
        ],
        lacks: ["Not offered", "You cannot correct"],
      },
      {
        name: "its effect is unknown",
        shows: onConnection(<CorrectView message={dead(DOUBT)} />),
        says: ["Not offered", "may have acted on it", "You cannot correct this message now.", "Back to the message"],
        lacks: ["Show and edit the body", "Open the correction", "takes the place"],
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
        says: ["3 fields, corrected body of 812 bytes", "Corrects", "All 12 attempts were refused", "Show values"],
        lacks: ["replaced by", "123456789012345"],
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
        says: ["replaced by", "Values not offered: You can look, not act."],
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
        shows: inLive(<ShowValuesDialog path="/x" notOffered="The corrected body was deleted when its plan ended." />),
        says: ["The corrected body was deleted when its plan ended."],
        off: ["Show values"],
      },
    ],
  },
];
