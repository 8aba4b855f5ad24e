import { holding, type PageClaim } from "@/domain/page-claim";
import { writtenTime } from "@/domain/written-time";
import type { AnswerFacts, ChecklistFacts, PolicyFact, RouteFact, WrongRows } from "@/domain/checks/checklist-facts";
import type { InvariantRow } from "@/domain/checks/rows";
import type { ChecklistCheck, CheckVerdict } from "../views/checklist";
import { formatAge } from "../format/display-time";
import { plural } from "../format/words";

/** What a check of a service found: one or several things with what was looked at. None is true by itself. */
export type Findings = readonly ChecklistCheck[];

/** One thing that a check may find: when it does, in which words, and what that decides. */
export interface CheckClaim<Facts> extends PageClaim<Facts> {
  readonly verdict: CheckVerdict;
  readonly href?: string | ((facts: Facts) => string);
  readonly samples?: (facts: Facts) => ChecklistCheck["samples"];
}

/** @returns what the claims that hold say, in their order */
export function findings<Facts>(claims: readonly CheckClaim<Facts>[], facts: Facts): Findings {
  return holding(claims, facts).map(({ verdict, words, href, samples }) => ({
    verdict,
    text: words(facts),
    href: typeof href === "function" ? href(facts) : href,
    samples: samples?.(facts),
  }));
}

/** All facts, and the part of them that a check is about. */
export type FactsOf<Part> = ChecklistFacts & { readonly it: Part };

/** What is found where a part was not read in its time. */
const UNREAD_CLAIMS: readonly CheckClaim<{ readonly what: string; readonly read: boolean }>[] = [
  {
    name: "not read",
    verdict: "cannot_tell",
    holds: ({ read }) => !read,
    words: ({ what }) => `${what}: not read, the database was too slow.`,
  },
];

/** @param what names the part of the facts @param part undefined: it was not read in time */
export function findingsOf<Part>(
  what: string,
  facts: ChecklistFacts,
  part: Part | undefined,
  claims: readonly CheckClaim<FactsOf<Part>>[],
): Findings {
  const unread = findings(UNREAD_CLAIMS, { what, read: part !== undefined });
  return part === undefined ? unread : [...unread, ...findings(claims, { ...facts, it: part })];
}

/** @param page of the wrong things: their id follows */
export function samplesOf({ ids }: WrongRows, page = "/operations/"): ChecklistCheck["samples"] {
  return ids.map((id) => ({ id, href: `${page}${id}` }));
}

/** The worker checks once a minute: what an older run found says nothing of now. */
export const OLD_CHECK_MS = 5 * 60_000;

/** The last run of an invariant, which looked at these hours. */
interface LastRunFacts extends Pick<InvariantRow, "label" | "checked" | "holds" | "violations" | "samples"> {
  readonly hours: number;
  readonly capped: boolean;
  readonly ageMs: number;
}

const old = ({ checked, ageMs }: LastRunFacts): boolean => checked && ageMs > OLD_CHECK_MS;
const violated = ({ violations, capped }: LastRunFacts): string =>
  capped ? `more than ${plural(violations, "violation")}` : plural(violations, "violation");
const INVARIANTS_PAGE = "/invariants";

/** What the last run of an invariant found. A violation stays one until a run finds none. */
const LAST_RUN_CLAIMS: readonly CheckClaim<LastRunFacts>[] = [
  {
    name: "not checked",
    verdict: "cannot_tell",
    href: INVARIANTS_PAGE,
    holds: ({ checked }) => !checked,
    words: ({ label }) => `${label}: the last check did not end, or there was none yet.`,
  },
  {
    name: "no violation, as far as it was checked",
    verdict: "cannot_tell",
    href: INVARIANTS_PAGE,
    holds: (run) => old(run) && run.holds,
    words: ({ label, ageMs }) => `${label}: no violation when it was last checked, ${formatAge(ageMs)} ago.`,
  },
  {
    name: "no violation",
    verdict: "holds",
    href: INVARIANTS_PAGE,
    holds: (run) => run.checked && run.holds && !old(run),
    words: ({ label, hours }) => `${label}: no violation in the last ${String(hours)} h.`,
  },
  {
    name: "violated when it was last checked",
    verdict: "fails",
    href: INVARIANTS_PAGE,
    samples: ({ samples }) => samples,
    holds: (run) => old(run) && !run.holds,
    words: (run) => `${run.label}: ${violated(run)} when it was last checked, ${formatAge(run.ageMs)} ago.`,
  },
  {
    name: "violated",
    verdict: "fails",
    href: INVARIANTS_PAGE,
    samples: ({ samples }) => samples,
    holds: (run) => run.checked && !run.holds && !old(run),
    words: (run) => `${run.label}: ${violated(run)} in the last ${String(run.hours)} h.`,
  },
];

/** @returns what the last run of a tenant's check says, under its own label; one that is not there was not checked. */
export function lastRun({ invariants, hours }: ChecklistFacts, name: string): Findings {
  const row = invariants.find((each) => each.name === name);
  const none: InvariantRow = { name, label: name, checked: false, holds: false, violations: 0, samples: [] };
  const { capped = false, ageMs = 0, ...run } = row ?? none;
  return findings(LAST_RUN_CLAIMS, { ...run, capped, ageMs, hours });
}

/** Loops of the worker that a check is about, and what is wrong with some of them. */
interface BeatFacts {
  readonly names: readonly string[];
  readonly wrong: readonly string[];
}

const BEAT_CLAIMS: readonly CheckClaim<BeatFacts>[] = [
  {
    name: "the loops beat",
    verdict: "holds",
    href: "/",
    holds: ({ wrong }) => wrong.length === 0,
    words: ({ names }) => `The worker's ${names.join(" and ")} ${names.length === 1 ? "beats" : "beat"}.`,
  },
  {
    name: "loops are wrong",
    verdict: "fails",
    href: "/",
    holds: ({ wrong }) => wrong.length > 0,
    words: ({ wrong }) => `The worker: ${wrong.join(", ")}.`,
  },
];

export function beating(facts: ChecklistFacts, ...names: readonly string[]): Findings {
  const { loops } = facts;
  if (loops === undefined) return findings(UNREAD_CLAIMS, { what: `The worker's ${names.join(" and ")}`, read: false });
  const wrong = names.flatMap((name) => {
    const row = loops.find(({ loop }) => loop.replaceAll("_", "-") === name);
    if (row === undefined) return [`${name} has not beaten for a day`];
    if (row.state === "stopped") return [`${name} stopped`];
    return row.error === undefined ? [] : [`${name} fails: ${row.error}`];
  });
  return findings(BEAT_CLAIMS, { names, wrong });
}

/** "3 keys", or "The newest 5,000 keys" where there are more than were looked at. */
export function looked(count: number, what: string, { limit }: Pick<ChecklistFacts, "limit">): string {
  return count >= limit ? `the newest ${plural(count, what)}` : plural(count, what);
}

/** Whether there may be more answers than were looked at. */
export function isSample({ limit }: ChecklistFacts, answers: AnswerFacts): boolean {
  return answers.looked >= limit;
}

/** What a number is of: "all 812 answers of the last 24 h", or a sample with its size and its beginning. */
export function sampled(facts: ChecklistFacts, answers: AnswerFacts): string {
  if (!isSample(facts, answers)) return `all ${plural(answers.looked, "answer")} of the last ${String(facts.hours)} h`;
  const from = answers.since === undefined ? "" : `, given since ${writtenTime(answers.since)}`;
  return `the newest ${plural(answers.looked, "answer")}${from}`;
}

/** A number that metrics have of all answers, beside the one of a sample. */
interface InAllFacts {
  readonly hours: number;
  readonly sample: boolean;
  /** Undefined: not read in time. */
  readonly all: number | undefined;
  readonly what: "conflict" | "replay";
}

const IN_ALL_CLAIMS: readonly CheckClaim<InAllFacts>[] = [
  {
    name: "in all",
    verdict: "note",
    href: ({ what }) => `/metrics?range=24h#${what === "replay" ? "replayed" : what}`,
    holds: ({ sample, all }) => sample && all !== undefined,
    words: ({ all = 0, what, hours }) => `${plural(all, what)} in the last ${String(hours)} h in all.`,
  },
];

/** Beside a number of a sample, the one that metrics have of all; where all were looked at, nothing. */
export function inAll(facts: ChecklistFacts, all: number | undefined, what: InAllFacts["what"]): Findings {
  const sample = facts.answers !== undefined && isSample(facts, facts.answers);
  return findings(IN_ALL_CLAIMS, { hours: facts.hours, sample, all, what });
}

export const routeName = ({ method, path }: RouteFact): string => `${method} ${path}`;

/** Whether a route that needs a key serves "POST /payments/{id}/void". */
function isKeyed({ deployment }: ChecklistFacts, route: string): boolean {
  return deployment.routes.some(
    ({ method, path, keyed }) => keyed && `${method} ${path.replace("/api/v1", "")}` === route,
  );
}

/** Routes of policies that no key is needed by. */
export const unserved = (facts: ChecklistFacts, policies = facts.policies): readonly string[] =>
  policies.map(({ route }) => route).filter((route) => !isKeyed(facts, route));

/** "Payment 24 h; Refund 24 h" */
export function windowsOf(policies: readonly PolicyFact[]): string {
  return policies.map(({ kind, policy }) => `${kind} ${String(policy.ttlHours)} h`).join("; ");
}
