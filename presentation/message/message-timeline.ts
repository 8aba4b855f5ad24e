import { axisStretches, axisTicks, type TimelineRow, type TimelineItem, type TimelineView } from "../operation/chain";
import type { GlyphName, Tone } from "../format/glyph";
import type { AttemptRow } from "../views/messages";
import { plural } from "../format/words";

export interface MessageMoments {
  /** When it was read, RFC 3339. */
  readonly at: string;
  /** Written, or received. */
  readonly began: string;
  readonly attempts: readonly AttemptRow[];
  /** Arrivals of its id, here or at consumers. */
  readonly arrivals: readonly { readonly at: string; readonly title: string; readonly glyph: GlyphName }[];
  readonly deaths: readonly {
    readonly at: string;
    readonly settledAt?: string | undefined;
    readonly corrected?: boolean;
  }[];
  /** Nothing more happens to it. */
  readonly ended: boolean;
}

const ATTEMPT_GLYPHS: Readonly<Record<AttemptRow["outcome"], { readonly glyph: GlyphName; readonly tone?: Tone }>> = {
  failed: { glyph: "failed" },
  dead: { glyph: "dead" },
  lost: { glyph: "STALE" },
  succeeded: { glyph: "executed" },
  running: { glyph: "IN_PROGRESS" },
};

/** What happened to one message, to scale; undefined when a line of text says it as well. */
export function buildMessageTimeline(moments: MessageMoments): TimelineView | undefined {
  const { attempts, arrivals, deaths, began } = moments;
  if (attempts.length + arrivals.length + deaths.length < 3) return undefined;
  const end = moments.ended ? Math.max(...all(moments)) : Date.parse(moments.at);
  const stretches = axisStretches(all(moments), end);
  const mark = (at: string, glyph: GlyphName, title: string, tone?: Tone): TimelineItem => ({
    kind: "mark",
    at: Date.parse(at),
    glyph,
    title,
    ...(tone !== undefined && { tone }),
  });
  const rows: TimelineRow[] = [
    { name: "Written", items: [mark(began, "pending", "written down", "quiet")] },
    {
      name: "Attempts",
      items: attempts
        .filter((attempt) => attempt.outcome !== "running")
        .map((attempt) =>
          mark(
            attempt.at,
            ATTEMPT_GLYPHS[attempt.outcome].glyph,
            `attempt ${String(attempt.number)} ${attempt.outcome}`,
          ),
        ),
    },
    { name: "Arrivals", items: arrivals.map((arrival) => mark(arrival.at, arrival.glyph, arrival.title)) },
    {
      name: "Died",
      items: deaths.flatMap((death) => [
        mark(death.at, "dead", "died"),
        ...(death.settledAt === undefined
          ? []
          : [
              mark(
                death.settledAt,
                "replayed",
                death.corrected === true ? "corrected by a person" : "settled by a person",
              ),
            ]),
      ]),
    },
  ];
  const now = moments.ended ? undefined : end;
  return {
    stretches,
    ticks: axisTicks(stretches, now),
    now,
    lanes: rows.filter((row) => row.items.length > 0),
    spoken: `${plural(attempts.length, "attempt")}, ${plural(arrivals.length, "arrival")}, died ${plural(deaths.length, "time")}`,
  };
}

function all({ began, attempts, arrivals, deaths }: MessageMoments): number[] {
  const texts = [
    began,
    ...attempts.filter((attempt) => attempt.outcome !== "running").map((attempt) => attempt.at),
    ...arrivals.map((arrival) => arrival.at),
    ...deaths.flatMap((death) => (death.settledAt === undefined ? [death.at] : [death.at, death.settledAt])),
  ];
  return texts.map((text) => Date.parse(text));
}
