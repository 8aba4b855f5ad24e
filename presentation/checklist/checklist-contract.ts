import { fails, holds, invariant, note, beating, routeName, tooSlow } from "./checklist-check";
import type { ChecklistFacts } from "./checklist-facts";
import { formatDuration } from "../format/display-time";
import type { ChecklistCheck } from "../views/checklist";
import { plural } from "../format/words";

/** The lines of the checklist about what this product promises beyond retries. */

type Checks = readonly ChecklistCheck[];

export function constraints({ constraints: found }: ChecklistFacts): Checks {
  if (found === undefined) return [tooSlow("Unique constraints")];
  return found.missing.length === 0
    ? [holds(`${String(found.all)} of ${String(found.all)} are there and valid.`)]
    : found.missing.map((name) => fails(`The database does not enforce ${name}.`));
}

export function once(facts: ChecklistFacts): Checks {
  return [invariant(facts, "one_execution_per_key"), invariant(facts, "one_ledger_entry")];
}

/** A lease that is stale for longer has no recovery that looks after it. */
const STALE_TOO_LONG_MS = 300_000;

export function unknownSettled(facts: ChecklistFacts): Checks {
  const { open } = facts;
  return [
    open === undefined
      ? tooSlow("Open operations")
      : open.oldestStaleMs !== undefined && open.oldestStaleMs > STALE_TOO_LONG_MS
        ? fails(`${plural(open.stale, "stale lease")}, the oldest for ${formatDuration(open.oldestStaleMs)}.`, {
            href: "/attention",
          })
        : holds("No lease is stale for longer than 5 minutes.", "/attention"),
    invariant(facts, "open_rows_match"),
    beating(facts, ["recover"]),
    ...(open === undefined || open.unknown === 0
      ? []
      : [
          note(
            `${plural(open.unknown, "outcome")} unknown${open.oldestUnknownMs === undefined ? "" : `, the oldest for ${formatDuration(open.oldestUnknownMs)}`}.`,
            "/attention",
          ),
        ]),
  ];
}

/** What the document has to say of every call with a key. */
const REFUSALS = ["400", "409", "410"];

export function document({ deployment }: ChecklistFacts): Checks {
  const { document: declared } = deployment;
  if (declared === undefined) return [fails("The API document is not served.")];
  const keyed = deployment.routes.filter((route) => route.keyed && !route.path.startsWith("/api/v1/admin/"));
  const missing = keyed.filter(({ path }) => !declared.some((each) => `/api/v1${each.path}` === path));
  const windowless = declared.filter(({ window }) => window === undefined);
  const silent = declared.filter(({ statuses }) => !REFUSALS.every((status) => statuses.includes(status)));
  return [
    missing.length === 0
      ? holds(`${String(keyed.length)} of ${String(keyed.length)} routes with a key are declared so.`)
      : fails(`The header is not declared for ${missing.map(routeName).join(", ")}.`),
    windowless.length === 0
      ? holds("Each says how long a key stands.")
      : fails(`No window is declared for ${windowless.map(({ path }) => path).join(", ")}.`),
    silent.length === 0
      ? holds(`Each says that ${REFUSALS.join(", ")} may come.`)
      : fails(`Refusals are missing from ${silent.map(({ path }) => path).join(", ")}.`),
  ];
}
