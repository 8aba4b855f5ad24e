import type { InboxRow } from "@/domain/views/inbox";
import type { Said } from "@/domain/views/common";

/** Whether handling a message again would change anything, and whether it may be set going. */
export function inboxSafe(row: InboxRow, now: string): Said {
  if (row.state === "processed")
    return {
      glyph: "processed",
      tone: "done",
      text: row.result === undefined ? "Handled once." : `Handled once: ${row.result}.`,
    };
  if (row.state === "discarded")
    return { glyph: "discarded", tone: "quiet", text: "Discarded by a person. It is never handled." };
  if (row.lockedUntil !== undefined && row.lockedUntil > now) {
    return {
      glyph: "EXPIRED",
      tone: "quiet",
      text: `Lease of ${row.owner ?? "a consumer"} until ${row.lockedUntil.slice(11, 19)}. Leave it.`,
    };
  }
  if (row.unfinished > 1)
    return {
      glyph: "FAILED_REPLAYABLE",
      tone: "broken",
      text: `Not yet. ${String(row.unfinished)} attempts never ended, it may stop its process.`,
    };
  if (row.mismatches > 0)
    return {
      glyph: "conflict",
      tone: "conflict",
      text: "Look first. This id also came with another payload; only the first is handled.",
    };
  if (row.state === "dead")
    return { glyph: "proven", tone: "proven", text: "Safe. The handler adds only what is missing." };
  return row.attempts > 0
    ? { glyph: "EXPIRED", tone: "quiet", text: "Is tried again by itself." }
    : { glyph: "EXPIRED", tone: "quiet", text: "Waits for its turn." };
}
