import type { ClauseProps } from "@/components/ui/verdict";
import { formatDuration } from "@/presentation/format/display-time";
import type { InboxDetail } from "@/presentation/views/inbox";

/** The verdict on one message: what became of it first, then what to do. */
export function inboxClauses(message: InboxDetail): readonly ClauseProps[] {
  const came = 1 + message.duplicates + message.mismatches;
  const arrived: ClauseProps = {
    text: came === 1 ? "Arrived once." : `Arrived ${came === 2 ? "twice" : `${String(came)} times`}, recorded once.`,
  };
  const other: ClauseProps[] =
    message.mismatches === 0
      ? []
      : [{ text: `${String(message.mismatches)} with another payload, never handled.`, tone: "conflict" }];
  return [...handled(message), arrived, ...other];
}

function handled(message: InboxDetail): readonly ClauseProps[] {
  if (message.processedAt !== undefined) {
    return [
      {
        text: `Handled once, ${formatDuration(Date.parse(message.processedAt) - Date.parse(message.receivedAt))} after it arrived.`,
      },
    ];
  }
  const safe: ClauseProps = { text: message.safe.text };
  if (message.state === "discarded")
    return [{ text: "Discarded by a person.", tone: "doubt" }, { text: "It is never handled." }];
  if (message.state === "dead")
    return [
      {
        text:
          message.attempts <= 1
            ? "Given up at the first attempt."
            : `Given up after ${String(message.attempts)} attempts.`,
        tone: "broken",
      },
      safe,
    ];
  return [
    {
      text:
        message.attempts === 0
          ? "Recorded, not handled yet."
          : `Recorded, ${String(message.attempts)} attempts failed.`,
      tone: message.attempts === 0 ? undefined : "doubt",
    },
  ];
}
