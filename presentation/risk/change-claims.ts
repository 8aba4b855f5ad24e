import type { RiskTime, Span } from "@/domain/metrics/risk";
import type { PageClaim } from "@/domain/page-claim";
import { MEASURE_FACTS } from "../metrics/measure-facts";
import { plural, spokenDuration } from "../format/words";
import type { RiskMark } from "../views/risk";
import { momentText } from "./moment-text";
import { AWAY, SHOWN_CHANGES, valueText, type Difference } from "./changes";

/** What was read of a window. */
export interface ChangeFacts {
  readonly window: Span;
  /** Minutes of it that are compared: rolled up, from the first on. */
  readonly counted: number;
  /** Working days that have all of these minutes. */
  readonly days: number;
  /** Too long to be compared. */
  readonly tooLong: boolean;
  /** The database did not answer in time. */
  readonly timedOut: boolean;
  /** The farthest from the usual first. */
  readonly differences: readonly Difference[];
  /** Marks of the chart's time. */
  readonly marks: readonly RiskMark[];
  /** "2 hours". */
  readonly chart: string;
  /** What the chart covers: whether times need their day. */
  readonly time: RiskTime;
}

/** Longest window that is compared, minutes. */
export const COMPARED_MINUTES = 180;

export function minutesOf({ window: { from, to } }: Pick<ChangeFacts, "window">): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
}

export function away({ differences }: Pick<ChangeFacts, "differences">): readonly Difference[] {
  return differences.filter(({ distance }) => distance >= AWAY);
}

const usually = ({ differences }: ChangeFacts): readonly Difference[] =>
  differences.filter(({ distance }) => distance < AWAY);
const comparable = ({ tooLong, timedOut, counted, days }: ChangeFacts): boolean =>
  !tooLong && !timedOut && counted > 0 && days > 0;
const minutesWords = (minutes: number): string => (minutes === 1 ? "same minute" : `same ${String(minutes)} minutes`);

/** What the rows are compared with, or why there are none; the first that holds. */
export const COMPARISON_CLAIMS: readonly PageClaim<ChangeFacts>[] = [
  {
    name: "too long to compare",
    holds: ({ tooLong }) => tooLong,
    words: () =>
      `not compared: in more than ${spokenDuration(COMPARED_MINUTES * 60_000)} a short change does not show. Choose a part of it`,
  },
  {
    name: "not compared in time",
    holds: ({ timedOut }) => timedOut,
    words: () => "the comparison took too long and was stopped: choose a shorter window",
  },
  {
    name: "not rolled up",
    holds: ({ counted }) => counted === 0,
    words: () => "not compared: the first minute of this window has no data",
  },
  {
    name: "no day to compare with",
    holds: ({ days }) => days === 0,
    words: () => "no earlier working day has data for these minutes, so there is no usual",
  },
  {
    name: "compared",
    holds: comparable,
    words: ({ counted, days }) =>
      `against the ${minutesWords(counted)} on the last ${days === 1 ? "working day" : `${String(days)} working days`} with data, by distance from the usual`,
  },
];

const NAMED = 4;
const measureWords = ({ measure, value }: Difference): string =>
  `${MEASURE_FACTS[measure.name].title.toLowerCase()} ${valueText(measure, value)}`;

/** What did not change, and what else did. */
export const REST_CLAIMS: readonly PageClaim<ChangeFacts>[] = [
  {
    name: "nothing away from the usual",
    holds: (facts) => comparable(facts) && away(facts).length === 0,
    words: () => "Nothing is away from the usual.",
  },
  {
    name: "more away from the usual",
    holds: (facts) => comparable(facts) && away(facts).length > SHOWN_CHANGES,
    words: (facts) =>
      `Also away from the usual: ${away(facts)
        .slice(SHOWN_CHANGES)
        .map((each) => `${measureWords(each)} (usual ${valueText(each.measure, each.usual)})`)
        .join(", ")}.`,
  },
  {
    name: "as usual",
    holds: (facts) => comparable(facts) && away(facts).length > 0 && usually(facts).length > 0,
    words: (facts) => {
      const all = usually(facts);
      const rest = all.length > NAMED ? ` and ${plural(all.length - NAMED, "more measure")}` : "";
      return `As usual: ${all.slice(0, NAMED).map(measureWords).join(", ")}${rest}.`;
    },
  },
  {
    name: "the last minutes are not rolled up",
    holds: (facts) => comparable(facts) && facts.counted < minutesOf(facts),
    words: (facts) =>
      `${String(facts.counted)} of ${plural(minutesOf(facts), "minute")} are compared, up to ${momentText(countedUntil(facts), facts.time)} UTC: the rest is not rolled up yet.`,
  },
];

/** End of what is compared, RFC 3339. */
export function countedUntil({ window, counted }: Pick<ChangeFacts, "window" | "counted">): string {
  return new Date(Date.parse(window.from) + counted * 60_000).toISOString();
}

/** What was done, as opposed to what went wrong. */
const deeds = ({ marks }: ChangeFacts): readonly RiskMark[] => marks.filter(({ kind }) => kind !== "incident");
/** A moment of a mark: a deploy, or where a pause began or ended. */
interface Moment {
  readonly mark: RiskMark;
  readonly at: number;
  readonly what: "was" | "began" | "ended";
}

function momentsOf(facts: ChangeFacts): readonly Moment[] {
  return deeds(facts).flatMap((mark): Moment[] => {
    const first = { mark, at: Date.parse(mark.at), what: mark.until === undefined ? "was" : "began" } as const;
    return mark.until === undefined ? [first] : [first, { mark, at: Date.parse(mark.until), what: "ended" }];
  });
}

function inside(facts: ChangeFacts): readonly Moment[] {
  const [from, to] = [Date.parse(facts.window.from), Date.parse(facts.window.to)];
  return momentsOf(facts).filter(({ at }) => at >= from && at < to);
}

/** The moment outside that is nearest, with how far it is. */
function nearest(facts: ChangeFacts): (Moment & { readonly before: boolean; readonly ms: number }) | undefined {
  const [from, to] = [Date.parse(facts.window.from), Date.parse(facts.window.to)];
  const far = momentsOf(facts).map((moment) => {
    const before = moment.at < from;
    return { ...moment, before, ms: before ? from - moment.at : moment.at - to };
  });
  return far.sort((a, b) => a.ms - b.ms)[0];
}

const KINDS: Readonly<Record<RiskMark["kind"], string>> = {
  deploy: "deploy of ",
  policy: "policy change ",
  pause: "",
  incident: "",
};
const called = ({ kind, label }: RiskMark): string => `${KINDS[kind]}${label}`;
const NONE_INSIDE = "No deploy, policy change or pause began or ended in the window";

/** What was done in the window, or nearest to it: it coincides, which makes no cause of it. The first that holds. */
export const MARK_CLAIMS: readonly PageClaim<ChangeFacts>[] = [
  {
    name: "marks in the window",
    holds: (facts) => inside(facts).length > 0,
    words: (facts) => {
      const moments = inside(facts);
      const rest = moments.length > NAMED ? ` and ${String(moments.length - NAMED)} more` : "";
      const words = ({ mark, at, what }: Moment): string =>
        `${called(mark)}${what === "ended" ? ", ended" : ""} at ${momentText(new Date(at).toISOString(), facts.time)} UTC`;
      return `In the window: ${moments.slice(0, NAMED).map(words).join("; ")}${rest}.`;
    },
  },
  {
    name: "nearest mark",
    holds: (facts) => inside(facts).length === 0 && nearest(facts) !== undefined,
    words: (facts) => {
      const near = nearest(facts);
      if (near === undefined) return "";
      const { mark, what, before, ms } = near;
      const where = before ? "before" : "after";
      return `${NONE_INSIDE}; the nearest in the chart, ${called(mark)}, ${what} ${spokenDuration(ms)} ${where}.`;
    },
  },
  {
    name: "no mark",
    holds: (facts) => deeds(facts).length === 0,
    words: ({ chart }) => `${NONE_INSIDE}, nor in the ${chart} of the chart.`,
  },
];
