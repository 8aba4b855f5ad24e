import { heldNow } from "@/components/messages/message-cells";
import type { ClauseProps } from "@/components/ui/verdict";
import { formatDuration } from "@/presentation/format/display-time";
import type { OutboxDetail } from "@/presentation/views/outbox";

/** The verdict on one message: how it ended, else why it waits. */
export function outboxClauses(message: OutboxDetail): readonly ClauseProps[] {
  const safe: ClauseProps = { text: message.safe.text };
  if (message.publishedAt !== undefined)
    return [{ text: published(message, message.publishedAt) }, ...handled(message)];
  if (message.state === "discarded")
    return [{ text: "Discarded by a person.", tone: "doubt" }, { text: "It is never sent." }];
  if (message.state === "dead")
    return [
      {
        text: message.attempts <= 1 ? "Dead at the first attempt." : `Dead after ${String(message.attempts)} attempts.`,
        tone: "broken",
      },
      safe,
    ];
  if (heldNow(message, message.at) !== undefined && message.attempts > 0)
    return [
      {
        text:
          message.attempts === 1 ? "Under way, its first attempt." : `Under way, attempt ${String(message.attempts)}.`,
      },
      safe,
    ];
  if (message.paused) return [{ text: "Waits: its topic is paused.", tone: "doubt" }, { text: "Nothing is lost." }];
  if (message.behind !== undefined) return [{ text: "Waits behind an older message.", tone: "doubt" }, safe];
  return [
    {
      text:
        message.attempts === 0
          ? "Not sent yet."
          : `Tried ${message.attempts === 1 ? "once" : `${String(message.attempts)} times`}, not taken yet.`,
      tone: message.attempts === 0 ? undefined : "doubt",
    },
    safe,
  ];
}

function published({ publishedBy, createdAt, attempts }: OutboxDetail, at: string): string {
  if (publishedBy === "operator") return "Closed by a person: its consumer had it already.";
  const took = formatDuration(Date.parse(at) - Date.parse(createdAt));
  return `Published ${took} after it was written, ${attempts <= 1 ? "at the first attempt" : `at attempt ${String(attempts)}`}.`;
}

/** What became of it at consumers here. */
function handled({ consumers }: OutboxDetail): readonly ClauseProps[] {
  if (consumers.length === 0) return [];
  const dead = consumers.filter((each) => each.state === "dead");
  const open = consumers.filter((each) => each.state === "recorded");
  if (dead.length > 0)
    return [{ text: `${dead.map((each) => each.consumer).join(" and ")} gave it up.`, tone: "broken" }];
  if (open.length > 0)
    return [{ text: `${open.map((each) => each.consumer).join(" and ")} did not handle it yet.`, tone: "doubt" }];
  return [{ text: `Handled once by ${consumers.map((each) => each.consumer).join(" and ")}.` }];
}
