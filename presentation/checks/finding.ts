import { writtenTime } from "@/domain/written-time";
import type { AnswerFacts, ChecklistFacts, PolicyFact, RouteFact, WrongRows } from "@/domain/checks/checklist-facts";
import type { ChecklistCheck } from "../views/checklist";
import { plural } from "../format/words";

/** What a check of a service found: one or several things with what was looked at. None is true by itself. */
export type Findings = readonly ChecklistCheck[];

export const holds = (text: string, href?: string): ChecklistCheck => ({ verdict: "holds", text, href });
export const fails = (text: string, more: Omit<ChecklistCheck, "verdict" | "text"> = {}): ChecklistCheck => ({
  verdict: "fails",
  text,
  ...more,
});
export const cannotTell = (text: string, href?: string): ChecklistCheck => ({ verdict: "cannot_tell", text, href });
export const note = (text: string, href?: string): ChecklistCheck => ({ verdict: "note", text, href });
export const tooSlow = (what: string): ChecklistCheck => cannotTell(`${what}: not read, the database was too slow.`);

/** @param page of the wrong things: their id follows */
export function samples({ ids }: WrongRows, page = "/operations/"): Pick<ChecklistCheck, "samples"> {
  return { samples: ids.map((id) => ({ id, href: `${page}${id}` })) };
}

/** @returns what the last run of a tenant's check says, under its own label. */
export function lastRun({ invariants, hours }: ChecklistFacts, name: string): ChecklistCheck {
  const row = invariants.find((each) => each.name === name);
  const href = "/invariants";
  if (row === undefined) return cannotTell(`The invariant ${name} is not checked here.`);
  if (!row.checked) return cannotTell(`${row.label}: the last check did not end, or there was none yet.`, href);
  if (row.holds) return holds(`${row.label}: no violation in the last ${String(hours)} h.`, href);
  const text = `${row.label}: ${plural(row.violations, "violation")} in the last ${String(hours)} h.`;
  return fails(text, { samples: row.samples, href });
}

export function beating({ loops }: ChecklistFacts, ...names: readonly string[]): ChecklistCheck {
  const nameList = names.join(" and ");
  if (loops === undefined) return tooSlow(`The worker's ${nameList}`);
  const wrong = names.flatMap((name) => {
    const row = loops.find(({ loop }) => loop.replaceAll("_", "-") === name);
    if (row === undefined) return [`${name} has not beaten for a day`];
    if (row.state === "stopped") return [`${name} stopped`];
    return row.error === undefined ? [] : [`${name} fails: ${row.error}`];
  });
  return wrong.length === 0
    ? holds(`The worker's ${nameList} ${names.length === 1 ? "beats" : "beat"}.`, "/")
    : fails(`The worker: ${wrong.join(", ")}.`, { href: "/" });
}

/** "3 keys", or "The newest 5,000 keys" where there are more than were looked at. */
export function looked(count: number, what: string, { limit }: Pick<ChecklistFacts, "limit">): string {
  return count >= limit ? `The newest ${plural(count, what)}` : plural(count, what);
}

/** What a number is of: "all 812 answers of the last 24 h", or a sample with its size and its beginning. */
export function sampled({ hours, limit }: ChecklistFacts, { looked: count, since }: AnswerFacts): string {
  if (count < limit) return `all ${plural(count, "answer")} of the last ${String(hours)} h`;
  const from = since === undefined ? "" : `, given since ${writtenTime(since)}`;
  return `the newest ${plural(count, "answer")}${from}`;
}

/** Beside a number of a sample, the one that metrics have of all; where all were looked at, nothing. */
export function inAll({ answers, hours, limit }: ChecklistFacts, all: number | undefined, what: string): Findings {
  if (answers === undefined || answers.looked < limit || all === undefined) return [];
  const measure = what === "replay" ? "replayed" : what;
  return [note(`${plural(all, what)} in the last ${String(hours)} h in all.`, `/metrics?range=24h#${measure}`)];
}

export const routeName = ({ method, path }: RouteFact): string => `${method} ${path}`;

/** Whether a route that needs a key serves "POST /payments/{id}/void". */
export function isKeyed({ deployment }: ChecklistFacts, route: string): boolean {
  return deployment.routes.some(
    ({ method, path, keyed }) => keyed && `${method} ${path.replace("/api/v1", "")}` === route,
  );
}

/** "Payment 24 h; Refund 24 h" */
export function windowsOf(policies: readonly PolicyFact[]): string {
  return policies.map(({ kind, policy }) => `${kind} ${String(policy.ttlHours)} h`).join("; ");
}
