import { claimWords, firstClaim, holding, type PageClaim } from "@/domain/page-claim";
import { plural } from "../format/words";
import type { VerdictClause } from "../views/common";
import type { FactView, FindingView, LookView } from "../views/attachments";

/** What a verdict about a look is drawn from. */
export type LookFacts = Pick<LookView, "recognised" | "guesses" | "tables" | "chosen" | "installed">;

interface Toned extends PageClaim<LookFacts> {
  readonly tone: VerdictClause["tone"];
}

const known = ({ recognised, guesses }: LookFacts): number => recognised.length + guesses.length;
const facts = ({ chosen }: LookFacts): readonly FactView[] => chosen?.lists.flatMap((list) => list.facts) ?? [];
const found = ({ installed: { findings } }: LookFacts, state: FindingView["state"]): number =>
  findings.filter((finding) => finding.state === state).length;
const isInstalled = ({ installed }: LookFacts): boolean => installed.preset !== undefined;

/** Whose tables they are. */
const SHAPE_CLAIMS: readonly Toned[] = [
  {
    name: "does not fit",
    tone: "doubt",
    holds: ({ chosen }) => chosen?.problem !== undefined,
    words: ({ chosen }) => `Nothing can be made of ${chosen?.where ?? ""} yet.`,
  },
  {
    name: "a library",
    tone: "fine",
    holds: ({ chosen }) => chosen !== undefined && chosen.map === undefined,
    words: ({ chosen }) => `Looks like ${chosen?.title ?? ""}, in schema ${chosen?.where ?? ""}.`,
  },
  {
    name: "made by hand",
    tone: "fine",
    holds: ({ chosen }) => chosen?.map !== undefined,
    words: ({ chosen }) => `${chosen?.where ?? ""} is mapped by hand.`,
  },
  {
    name: "several",
    tone: "fine",
    holds: (look) => known(look) > 0,
    words: (look) => `${plural(known(look), "shape")} found. Choose one.`,
  },
  {
    name: "none",
    tone: "doubt",
    holds: () => true,
    words: ({ tables }) => `No known shape among ${plural(tables, "table")}.`,
  },
];

/** What can be shown, and whether it is installed. */
const LOOK_CLAIMS: readonly Toned[] = [
  {
    name: "facts",
    tone: "fine",
    holds: (look) => facts(look).length > 0,
    words: (look) => {
      const all = facts(look);
      const shown = all.filter(({ kind }) => kind !== "not_stored").length;
      return `${String(shown)} of ${plural(all.length, "fact")} can be shown.`;
    },
  },
  {
    name: "not installed",
    tone: "doubt",
    holds: (look) => look.chosen !== undefined && !isInstalled(look),
    words: () => "Not installed yet.",
  },
  {
    name: "checks fail",
    tone: "broken",
    holds: (look) => isInstalled(look) && found(look, "wrong") > 0,
    words: (look) => `${plural(found(look, "wrong"), "check")} ${found(look, "wrong") === 1 ? "fails" : "fail"}.`,
  },
  {
    name: "notes",
    tone: "doubt",
    holds: (look) => isInstalled(look) && found(look, "note") > 0,
    words: (look) => `${plural(found(look, "note"), "note")} to read.`,
  },
  {
    name: "all pass",
    tone: "fine",
    holds: (look) => isInstalled(look) && found(look, "wrong") + found(look, "note") === 0,
    words: (look) => `All ${plural(found(look, "ok"), "check")} pass.`,
  },
];

/** What was recognised at an address, in one sentence each. */
export function lookVerdict(look: LookFacts): readonly VerdictClause[] {
  const claims = [firstClaim(SHAPE_CLAIMS, look), ...holding(LOOK_CLAIMS, look)];
  return claims.map(({ words, tone }) => ({ text: words(look), tone }));
}

/** Why nothing can be attached, the first that holds. */
const NOT_OFFERED: readonly PageClaim<LookFacts | undefined>[] = [
  { name: "no look", holds: (look) => look === undefined, words: () => "Look at a database first." },
  {
    name: "not installed",
    holds: (look) => look !== undefined && !isInstalled(look),
    words: (look) =>
      `There is no schema ${look?.installed.schema ?? ""} yet: its owner runs the SQL, then check again.`,
  },
  {
    name: "wrong",
    holds: (look) => look !== undefined && isInstalled(look) && found(look, "wrong") > 0,
    words: () => "A check fails: mend it, then check again.",
  },
];

/** @returns why it cannot be attached now, or undefined when it can */
export function whyNotAttach(look: LookFacts | undefined): string | undefined {
  return claimWords(NOT_OFFERED, look)[0];
}

const KINDS: Readonly<Record<FactView["kind"], string>> = {
  stored: "as stored",
  derived: "derived",
  not_stored: "not stored",
};

/** "4 as stored, 5 derived, 3 not stored" */
export function factCounts(list: readonly FactView[]): string {
  return (Object.keys(KINDS) as FactView["kind"][])
    .map((kind) => ({ kind, count: list.filter((fact) => fact.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${String(count)} ${KINDS[kind]}`)
    .join(", ");
}
