"use client";

import { formatClock } from "@/presentation/format/display-time";
import { Id } from "@/components/ui/values/id";
import { useZone } from "@/components/ui/values/use-zone";
import { Notice } from "./notice";
import type { ActionState } from "./use-admin-action";

const MAY_BE_DONE = "It may have been done. Press again: the same key is sent, so it acts at most once.";

/** How an answer begins after which all is as it was. */
const UNCHANGED = "Nothing changed.";

/** What the server answered. */
export function ActionAnswerView({ answer }: { readonly answer: ActionState | undefined }) {
  const zone = useZone();
  // A proof is asked for by fields of its own: step-up.tsx.
  if (answer === undefined || answer.kind === "confirm") return null;
  if (answer.kind === "no-answer") {
    return <Notice announce tone="doubt" title="No answer came back." text={MAY_BE_DONE} />;
  }
  const { message } = answer;
  if (answer.kind === "done") {
    return message.startsWith(UNCHANGED) ? (
      <Notice announce title={UNCHANGED} text={message.slice(UNCHANGED.length).trim()} />
    ) : (
      <Notice announce title="Done." text={message} />
    );
  }
  if (answer.kind === "already") {
    const text = `This is the answer of your first click at ${formatClock(answer.doneBefore, zone)}: ${message} Nothing ran twice.`;
    return <Notice announce title="Already done." text={text} />;
  }
  const request = answer.requestId !== undefined && (
    <>
      {" "}
      Request <Id value={answer.requestId} full plain />
    </>
  );
  return (
    <Notice
      announce
      tone={answer.open === true ? "doubt" : "broken"}
      title={answer.open === true ? "Not known to be done." : "Not done."}
      text={
        <>
          {message}
          {answer.open === true && ` ${MAY_BE_DONE}`}
          {request}
        </>
      }
    />
  );
}
