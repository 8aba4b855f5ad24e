"use client";

import { formatClock } from "@/presentation/format/display-time";
import { Id } from "@/components/ui/values/id";
import { useZone } from "@/components/ui/values/use-zone";
import { Notice } from "./notice";
import type { ActionState } from "./use-admin-action";

/** What the server answered. */
export function ActionAnswerView({ answer }: { readonly answer: ActionState | undefined }) {
  const zone = useZone();
  if (answer === undefined) return null;
  switch (answer.kind) {
    case "done":
      return <Notice announce title="Done." text={answer.message} />;
    case "already":
      return (
        <Notice
          announce
          title="Already done."
          text={`This is the answer of your first click at ${formatClock(answer.doneBefore, zone)}: ${answer.message} Nothing ran twice.`}
        />
      );
    case "refused":
      return (
        <Notice
          announce
          tone="broken"
          title="Not done."
          text={
            answer.requestId === undefined ? (
              answer.message
            ) : (
              <>
                {answer.message} Request <Id value={answer.requestId} full plain />
              </>
            )
          }
        />
      );
    // Its own fields ask: step-up.tsx.
    case "confirm":
      return null;
    case "no-answer":
      return (
        <Notice
          announce
          tone="doubt"
          title="No answer came back."
          text="It may have been done. Press again: the same key is sent, so it acts once."
        />
      );
  }
}
