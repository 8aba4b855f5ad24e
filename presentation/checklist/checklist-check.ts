import type { ChecklistFacts, PolicyFact, RouteFact } from "./checklist-facts";
import type { ChecklistCheck } from "../views/checklist";
import { plural } from "../format/words";

/** Parts that lines of the checklist are made of. */

export const holds = (text: string, href?: string): ChecklistCheck => ({ verdict: "holds", text, href });
export const fails = (text: string, more: Omit<ChecklistCheck, "verdict" | "text"> = {}): ChecklistCheck => ({
  verdict: "fails",
  text,
  ...more,
});
export const cannotTell = (text: string, href?: string): ChecklistCheck => ({ verdict: "cannot_tell", text, href });
export const note = (text: string, href?: string): ChecklistCheck => ({ verdict: "note", text, href });
export const tooSlow = (what: string): ChecklistCheck => cannotTell(`${what}: not read, the database was too slow.`);

export function operations(ids: readonly string[]): { readonly samples: NonNullable<ChecklistCheck["samples"]> } {
  return { samples: ids.map((id) => ({ id, href: `/operations/${id}` })) };
}

/** @returns what an invariant of the overview says, under its own name. */
export function invariant({ invariants, hours }: ChecklistFacts, name: string): ChecklistCheck {
  const row = invariants.find((each) => each.name === name);
  if (row === undefined) return cannotTell(`The invariant ${name} is not checked here.`);
  if (!row.checked)
    return cannotTell(`${row.label}: the last check did not end, or there was none yet.`, "/invariants");
  if (row.holds) return holds(`${row.label}: no violation in the last ${String(hours)} h.`, "/invariants");
  return fails(`${row.label}: ${plural(row.violations, "violation")} in the last ${String(hours)} h.`, {
    samples: row.samples,
    href: "/invariants",
  });
}

/** @returns whether each of these loops of the worker beats. */
export function beating({ loops }: ChecklistFacts, names: readonly string[]): ChecklistCheck {
  const said = names.join(" and ");
  if (loops === undefined) return tooSlow(`The worker's ${said}`);
  const wrong = names.flatMap((name) => {
    const row = loops.find(({ loop }) => loop.replaceAll("_", "-") === name);
    if (row === undefined) return [`${name} has not beaten for a day`];
    return row.state === "stopped"
      ? [`${name} stopped`]
      : row.error === undefined
        ? []
        : [`${name} fails: ${row.error}`];
  });
  return wrong.length === 0
    ? holds(`The worker's ${said} ${names.length === 1 ? "beats" : "beat"}.`, "/")
    : fails(`The worker: ${wrong.join(", ")}.`, { href: "/" });
}

/** "3 keys", or "The newest 5,000 keys" where there are more than were looked at. */
export function looked(count: number, what: string, { limit }: Pick<ChecklistFacts, "limit">): string {
  return count >= limit ? `The newest ${plural(count, what)}` : plural(count, what);
}

/** "POST /api/v1/payments" */
export const routeName = ({ method, path }: RouteFact): string => `${method} ${path}`;

/** @param route "POST /payments/{id}/void" */
export function servesRoute({ method, path }: RouteFact, route: string): boolean {
  return `${method} ${path.replace("/api/v1", "")}` === route;
}

/** "Payment 24 h" */
export function windowOf({ kind, policy }: PolicyFact): string {
  return `${kind} ${String(policy.ttlHours)} h`;
}
