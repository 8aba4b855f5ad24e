import { OUTLOOKS, OUTLOOK_WORDS, type JudgedOutlook, type Outlook } from "@/domain/messages/requeue-outlook";
import { formatCount } from "../format/display-time";
import type { GlyphText } from "../views/common";

type Face = Pick<GlyphText, "glyph" | "tone">;

export const OUTLOOK_FACES: Readonly<Record<Outlook, Face>> = {
  likely: { glyph: "executed", tone: "done" },
  waits: { glyph: "EXPIRED", tone: "quiet" },
  unknown: { glyph: "empty", tone: "quiet" },
  dies: { glyph: "dead", tone: "broken" },
};

/** How many rows have which outlook now. */
export type OutlookCounts = Readonly<Partial<Record<Outlook, number>>>;

/** What stands beside a dead message that a requeue would send or handle again. */
export function outlookText({ outlook, why }: JudgedOutlook): GlyphText {
  return { ...OUTLOOK_FACES[outlook], text: why, brief: OUTLOOK_WORDS[outlook] };
}

export function countOutlooks(judged: readonly (JudgedOutlook | undefined)[]): OutlookCounts {
  const counts: Partial<Record<Outlook, number>> = {};
  for (const each of judged) if (each !== undefined) counts[each.outlook] = (counts[each.outlook] ?? 0) + 1;
  return counts;
}

/** Each outlook that some have. */
export function outlookParts(
  counts: OutlookCounts,
): readonly (Face & { readonly outlook: Outlook; readonly count: number })[] {
  return OUTLOOKS.flatMap((outlook) => {
    const count = counts[outlook] ?? 0;
    return count === 0 ? [] : [{ outlook, count, ...OUTLOOK_FACES[outlook] }];
  });
}

/** "9 likely to succeed, 42 likely to die again"; empty where none was judged. */
export function outlookCountsText(counts: OutlookCounts): string {
  return outlookParts(counts)
    .map(({ outlook, count }) => `${formatCount(count)} ${OUTLOOK_WORDS[outlook].toLowerCase()}`)
    .join(", ");
}
