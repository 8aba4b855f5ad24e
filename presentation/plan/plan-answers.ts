import { claimWords, type PageClaim } from "@/domain/page-claim";
import { isFinal, type LookUpAnswer } from "@/domain/plans/look-ups";
import { formatCount } from "../format/display-time";
import type { GlyphName, Tone } from "../format/glyph";
import { moneyView } from "../operation/money-view";
import type { MoneyView } from "../views/common";
import type { PlanAsking, PlanItemRow, PlanRestRow, PlanView } from "../views/plans";

interface AnswerFace {
  readonly glyph: GlyphName;
  readonly tone: Tone;
  readonly word: string;
  /** Behind a count, in a sentence. */
  readonly counted: string;
  /** What it means for the row. */
  readonly effect: string;
}

/** How the answer of a look-up is drawn and called; glyph, word and colour differ each. */
export const ANSWER_FACES: Readonly<Record<LookUpAnswer, AnswerFace>> = {
  completes: {
    glyph: "COMPLETED",
    tone: "done",
    word: "Would complete",
    counted: "would complete",
    effect: "The provider has it as succeeded: stores that answer and posts its ledger",
  },
  fails: {
    glyph: "FAILED_REPLAYABLE",
    tone: "plain",
    word: "Would fail",
    counted: "would fail",
    effect: "The provider declined it: stores the refusal, posts nothing",
  },
  frees: {
    glyph: "FAILED_RETRYABLE",
    tone: "plain",
    word: "Would end without effect",
    counted: "would end without effect",
    effect: "The provider has no effect of it: no answer is stored, nothing is posted",
  },
  unknown: {
    glyph: "UNKNOWN_REQUIRES_RECOVERY",
    tone: "doubt",
    word: "Still unknown",
    counted: "still unknown",
    effect: "The provider gave no final answer: left out of the run",
  },
  not_asked: {
    glyph: "skipped",
    tone: "doubt",
    word: "Not asked",
    counted: "not asked",
    effect: "No answer could be had: asked again when it runs",
  },
  waiting: {
    glyph: "pending",
    tone: "moving",
    word: "Not asked yet",
    counted: "not asked yet",
    effect: "Its turn has not come",
  },
};

/** @param state of the look-ups: what waits when they have stopped is never asked by them */
export function answerFace(answer: LookUpAnswer, state: PlanAsking["state"]): AnswerFace {
  return answer === "waiting" && state !== "asking"
    ? { ...ANSWER_FACES.waiting, word: "Not asked" }
    : ANSWER_FACES[answer];
}

/** A detail that names the provider is a sentence of its own: "the provider answered 503". */
const SPOKE = /^the (?:provider|answer) /;
const bare = (text: string): string => text.replace(/\.$/, "");
const detailOf = ({ lookUpDetail = "no answer" }: PlanItemRow): string => lookUpDetail;

/** What the provider said of a row, or why it was not asked: the first that holds; none where nobody was to ask. */
export const LOOK_UP_CLAIMS: readonly PageClaim<PlanItemRow>[] = [
  {
    name: "not asked",
    holds: ({ lookUp }) => lookUp === "not_asked",
    words: (row) => `Not asked: ${bare(detailOf(row))}.`,
  },
  { name: "not asked yet", holds: ({ lookUp }) => lookUp === "waiting", words: () => "Not asked yet." },
  {
    name: "own words",
    holds: (row) => row.lookUp !== undefined && SPOKE.test(detailOf(row)),
    words: (row) => `${detailOf(row).charAt(0).toUpperCase()}${bare(detailOf(row).slice(1))}.`,
  },
  {
    name: "the provider says",
    holds: ({ lookUp }) => lookUp !== undefined,
    words: (row) => `The provider says: ${bare(detailOf(row))}.`,
  },
];

/** What the provider said of a row, or why it was not asked, as one sentence. */
export function answerWords(row: PlanItemRow): string | undefined {
  return claimWords(LOOK_UP_CLAIMS, row)[0];
}

/** How often an answer was given. */
export function answerTotal(asking: PlanAsking | undefined, which: (answer: LookUpAnswer) => boolean): number {
  return (asking?.answers ?? []).reduce((sum, { answer, count }) => sum + (which(answer) ? count : 0), 0);
}

/** Rows that had their turn, and all of them. */
export function askedOf(asking: PlanAsking): { readonly asked: number; readonly all: number } {
  const all = answerTotal(asking, () => true);
  return { asked: all - answerTotal(asking, (answer) => answer === "waiting"), all };
}

/** Rows that an asking dry run found no final answer for. */
export function unansweredRows(asking: PlanAsking | undefined): number {
  return answerTotal(asking, (answer) => !isFinal(answer));
}

type Waiting = Pick<PlanView, "counts" | "rest"> & Partial<Pick<PlanView, "asking">>;

const isLeftOut = (row: PlanRestRow): boolean =>
  row.result === "waiting" && row.now !== "settled" && row.lookUp === "unknown";

/** Rows that wait and that the run leaves out, because their dry run found no final answer. */
export function leftOut({ rest, asking, counts }: Waiting): number {
  if (counts.waiting === 0) return 0;
  if (rest === undefined) return answerTotal(asking, (answer) => answer === "unknown");
  return rest.reduce((sum, row) => sum + (isLeftOut(row) ? row.count : 0), 0);
}

/** The money of the rows that a start would run, by currency; undefined where it was not judged. */
export function moneyToRun({ rest }: Waiting): readonly MoneyView[] | undefined {
  if (rest === undefined) return undefined;
  const rows = rest.filter((row) => row.result === "waiting" && row.now !== "settled" && !isLeftOut(row));
  return sumViews(rows.flatMap(({ amounts = [] }) => amounts));
}

/** One sum per currency, in the order of first sight. */
export function sumViews(amounts: readonly MoneyView[]): readonly MoneyView[] {
  const sums = new Map<string, bigint>();
  for (const { currency, minor } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor));
  return [...sums].map(([currency, minor]) => moneyView(minor, currency));
}

/** "€612.40 and ¥500"; empty without money. */
export function moneyWords(amounts: readonly MoneyView[]): string {
  return amounts.map(({ display }) => display).join(" and ");
}

/** "9 would complete, 2 would fail": every answer that there is, in order. */
export function answerParts(asking: PlanAsking): readonly string[] {
  return asking.answers.map(({ answer, count }) => `${formatCount(count)} ${ANSWER_FACES[answer].counted}`);
}
