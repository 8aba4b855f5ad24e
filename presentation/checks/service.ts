import { writtenTime } from "@/domain/written-time";
import type { ChecklistFacts, RetryFacts } from "@/domain/checks/checklist-facts";
import { formatCount, formatDuration } from "../format/display-time";
import type { ChecklistCheck } from "../views/checklist";
import { plural } from "../format/words";
import {
  cannotTell,
  fails,
  holds,
  inAll,
  isKeyed,
  looked,
  note,
  routeName,
  sampled,
  samples,
  tooSlow,
  windowsOf,
  type Findings,
} from "./finding";

/** Checks of a service: what it serves, what its policies say, and what is in its newest data. */

const NAMES_SHOWN = 5;

export function routesNeedKey(facts: ChecklistFacts): Findings {
  const { routes } = facts.deployment;
  const open = routes.filter(({ keyed, otherwise }) => !keyed && otherwise === undefined).map(routeName);
  const missing = facts.policies.filter(({ route }) => !isKeyed(facts, route)).map(({ route }) => route);
  const keyed = formatCount(routes.filter((route) => route.keyed).length);
  const more = open.length - NAMES_SHOWN;
  const shown = open.slice(0, NAMES_SHOWN).join(", ") + (more > 0 ? ` and ${formatCount(more)} more` : "");
  return [
    open.length === 0
      ? holds(`${keyed} of ${keyed} routes that need a key refuse a request without one.`)
      : fails(`No key is needed by ${shown}.`),
    missing.length === 0
      ? holds(`Among them ${facts.policies.map(({ route }) => route).join(", ")}.`)
      : fails(`No route with a key for ${missing.join(", ")}.`),
    ...routes.flatMap((route) =>
      !route.keyed && route.otherwise !== undefined ? [note(`${routeName(route)}: ${route.otherwise}.`)] : [],
    ),
  ];
}

export function effectsHaveKey({ keys, hours }: ChecklistFacts): Findings {
  if (keys === undefined) return [tooSlow("Effects without a key")];
  const unkeyed = keys.effects.filter((effect) => effect.unkeyed.count > 0);
  const some = keys.effects.filter((effect) => effect.looked > 0);
  if (unkeyed.length > 0) {
    const text = unkeyed.map((effect) => plural(effect.unkeyed.count, effect.kind)).join(", ");
    const ids = unkeyed.flatMap((effect) => effect.unkeyed.ids);
    return [fails(`${text} without a key.`, samples({ count: ids.length, ids }, "/find?q="))];
  }
  if (some.length === 0) return [cannotTell(`No payment, refund or void in the last ${String(hours)} h to look at.`)];
  const text = some.map((effect) => plural(effect.looked, effect.kind)).join(", ");
  return [holds(`${text} in the last ${String(hours)} h: each belongs to a key.`, "/operations")];
}

export function commandsHashed(facts: ChecklistFacts): Findings {
  const { keys, hours } = facts;
  if (keys === undefined) return [tooSlow("Hashes of commands")];
  if (keys.unhashed.count > 0)
    return [fails(`${plural(keys.unhashed.count, "key")} without a hash of the command.`, samples(keys.unhashed))];
  if (keys.keys === 0) return [cannotTell(`No key in the last ${String(hours)} h to look at.`)];
  const text = looked(keys.keys, "key", facts);
  return [holds(`${text} in the last ${String(hours)} h, each with the hash of its command.`)];
}

export function conflictsRefused(facts: ChecklistFacts): Findings {
  const { answers, counted, policies } = facts;
  if (answers === undefined) return [tooSlow("Conflicts")];
  const { accepted, conflicts } = answers;
  if (accepted.count > 0) {
    const text = `${plural(accepted.count, "conflict")} answered with another status than 409 or 422.`;
    return [fails(text, samples(accepted))];
  }
  const statuses = [...new Set(policies.map(({ policy }) => policy.mismatchStatus))].join(" or ");
  return conflicts === 0
    ? [note(`No conflict among ${sampled(facts, answers)}; one would get ${statuses}.`, "/conflicts")]
    : [
        holds(
          `${plural(conflicts, "conflict")} among ${sampled(facts, answers)}, each refused with 409 or 422.`,
          "/conflicts",
        ),
        ...inAll(facts, counted?.conflicts, "conflict"),
      ];
}

/** Of the newest answers the status is compared, too. */
export function replaysSame(facts: ChecklistFacts): Findings {
  const { counted, policies } = facts;
  const byReference = policies.filter(({ policy }) => policy.replay === "reference");
  return [
    sameAnswers(facts),
    ...inAll(facts, counted?.replays, "replay"),
    ...byReference.map(({ kind, operation }) =>
      fails(`${kind}: a replay shows the resource as it is now, as its policy says.`, {
        href: `/policies#${operation}`,
      }),
    ),
  ];
}

function sameAnswers(facts: ChecklistFacts): ChecklistCheck {
  const { answers, hours } = facts;
  if (answers === undefined) return tooSlow("Replays");
  const { differing, replays } = answers;
  if (differing.count > 0) {
    const text = `${plural(differing.count, "operation")} replayed with another status or other bytes.`;
    return fails(text, samples(differing));
  }
  if (replays === 0) return cannotTell(`No replay in the last ${String(hours)} h to compare.`);
  const text = `${plural(replays, "replay")} among ${sampled(facts, answers)}`;
  return holds(`${text}, each with the status and the bytes of the first answer.`);
}

export function replaysMarked({ deployment: { profiles } }: ChecklistFacts): Findings {
  const unmarked = profiles.filter(({ mark }) => mark !== "replayed").map(({ name }) => name);
  return profiles.length > 0 && unmarked.length === 0
    ? [holds(`A replay says Idempotency-Status: replayed in all ${String(profiles.length)} wire profiles.`)]
    : [fails(`A replay is not marked in the profile ${unmarked.join(", ") || "of any caller"}.`)];
}

/** One retry in this many may be too early or in vain, and a few always are. */
const TOLERATED_ONE_IN = 20;
const TOLERATED_ALWAYS = 3;

export function clientsRetryWell(facts: ChecklistFacts): Findings {
  const { answers, retries, hours } = facts;
  if (retries === undefined) return [tooSlow("Retries of clients")];
  if (retries.length === 0) return [cannotTell(`No client retried in the last ${String(hours)} h.`)];
  const isAll = answers === undefined || answers.looked < facts.limit;
  return [...retries.map(retriesOf), ...(isAll ? [] : [note(`Looked at ${sampled(facts, answers)}.`)])];
}

function retriesOf({ client, retries, tooSoon, hopeless }: RetryFacts): ChecklistCheck {
  const count = (value: number): string => (value === 0 ? "none" : formatCount(value));
  const text = `${client}: ${plural(retries, "retry", "retries")}, ${count(tooSoon)} before Retry-After, ${count(hopeless)} after a refusal that no retry heals.`;
  const href = `/clients/${encodeURIComponent(client)}`;
  const tolerated = Math.max(TOLERATED_ALWAYS, retries / TOLERATED_ONE_IN);
  return tooSoon + hopeless > tolerated ? fails(text, { href }) : holds(text, href);
}

/** Races are decided by the database, whatever the code forgets. */
export function constraintsEnforced({ constraints: found }: ChecklistFacts): Findings {
  if (found === undefined) return [tooSlow("Unique constraints")];
  return found.missing.length === 0
    ? [holds(`${String(found.all)} of ${String(found.all)} are there and valid.`)]
    : found.missing.map((name) => fails(`The database does not enforce ${name}.`));
}

const INBOX_KEY = "one inbox row per consumer, source and event id";

export function inboxKeyEnforced({ constraints: found }: ChecklistFacts): Findings {
  if (found === undefined) return [tooSlow("Unique constraints")];
  return found.missing.includes(INBOX_KEY)
    ? [fails(`The database does not enforce ${INBOX_KEY}.`)]
    : [holds(`The database enforces ${INBOX_KEY}.`)];
}

export function answersTraceable(facts: ChecklistFacts): Findings {
  const { answers, hours } = facts;
  if (answers === undefined) return [tooSlow("Events of answers")];
  const { untraceable } = answers;
  if (untraceable.count > 0) {
    const text = `${plural(untraceable.count, "answer")} without the attempt or the request it belongs to.`;
    return [fails(text, samples(untraceable))];
  }
  if (answers.looked === 0) return [cannotTell(`Nobody was answered in the last ${String(hours)} h.`)];
  const text = looked(answers.looked, "answer", facts);
  return [holds(`${text} in the last ${String(hours)} h, each with its operation, request and attempt.`)];
}

/** Metrics that have to be served, with any prefix. */
const METRICS = ["idempotency_requests_total", "idempotency_retry_delay_seconds"];

export function metricsServed({ deployment: { metrics } }: ChecklistFacts): Findings {
  if (metrics === undefined) return [fails("The metrics are not served.")];
  const missing = METRICS.filter((name) => !metrics.includes(name));
  if (missing.length > 0) return [fails(`Not among the metrics: ${missing.join(", ")}.`)];
  return [holds(`${plural(metrics.length, "metric")} served, with outcomes per operation and the delay of retries.`)];
}

export function spansExported({ deployment: { traces } }: ChecklistFacts): Findings {
  return [note(traces ? "Spans are exported." : "Spans are not exported: no collector is configured.")];
}

export function policiesConsistent({ policies }: ChecklistFacts): Findings {
  const wrong = policies.filter(({ findings }) => findings.length > 0).map(({ operation }) => operation);
  return wrong.length === 0
    ? [holds(`Every policy is free of contradictions: ${windowsOf(policies)}.`, "/policies")]
    : [fails(`A policy contradicts itself: ${wrong.join(", ")}.`, { href: "/policies" })];
}

/** Days of partitions that have to be there besides today's: a stopped worker is noticed before the last one is used up. */
const DAYS_AHEAD = 2;

export function cleanedUp({ cleanup: found }: ChecklistFacts): Findings {
  if (found === undefined) return [tooSlow("What has expired")];
  const href = "/retention";
  const overdue = (what: string, count: number): ChecklistCheck =>
    count === 0 ? holds(`No ${what}.`, href) : fails(`${formatCount(count)} or more ${what}.`, { href });
  const { daysAhead, lastRunAt } = found;
  return [
    overdue("expired bodies", found.overdueBodies),
    overdue("expired records", found.overdueRecords),
    overdue("ended windows that are not closed", found.overdueWindows),
    daysAhead > DAYS_AHEAD
      ? holds(`Tables by day have partitions for the next ${plural(daysAhead - 1, "day")}.`)
      : fails(`Tables by day have partitions for ${plural(daysAhead, "day")} only, today included.`),
    lastRunAt === undefined
      ? note("Nothing had to be removed so far.", href)
      : note(`Something was removed last on ${writtenTime(lastRunAt)}.`, href),
  ];
}

const CREATE = "payments.create";
const REVERSE = ["refunds.create", "payments.void"];

export function reversalsAlike(facts: ChecklistFacts): Findings {
  const create = facts.policies.find(({ operation }) => operation === CREATE);
  const reverse = facts.policies.filter(({ operation }) => REVERSE.includes(operation));
  if (create === undefined || reverse.length < REVERSE.length)
    return [fails(`Not all of ${[CREATE, ...REVERSE].join(", ")} are operations with a key.`)];
  const all = [create, ...reverse];
  const { expired, ttlHours } = create.policy;
  const unkeyed = all.filter(({ route }) => !isKeyed(facts, route)).map(({ route }) => route);
  const late = reverse.filter(({ policy }) => policy.expired !== expired).map(({ kind }) => kind);
  const href = "/policies";
  return [
    unkeyed.length === 0
      ? holds(`${all.map(({ kind }) => kind).join(", ")} need a key alike.`)
      : fails(`No key is needed by ${unkeyed.join(", ")}.`),
    late.length === 0
      ? holds(`After the window all of them ${expired === "reject" ? "are refused" : "run again"}.`, href)
      : fails(
          `After the window ${late.join(" and ")} ${late.length === 1 ? "is" : "are"} treated otherwise than ${create.kind}.`,
          { href },
        ),
    reverse.every(({ policy }) => policy.ttlHours === ttlHours)
      ? note(`All of them stand for ${String(ttlHours)} h.`)
      : note(`Their windows differ: ${windowsOf(all)}.`, href),
  ];
}

/** A lease that is stale for longer is not looked after by recovery. */
const STALE_TOO_LONG_MS = 300_000;

export function leasesFresh({ open }: ChecklistFacts): Findings {
  if (open === undefined) return [tooSlow("Open operations")];
  const { stale, oldestStaleMs } = open;
  const href = "/attention";
  return oldestStaleMs !== undefined && oldestStaleMs > STALE_TOO_LONG_MS
    ? [fails(`${plural(stale, "stale lease")}, the oldest for ${formatDuration(oldestStaleMs)}.`, { href })]
    : [holds("No lease is stale for longer than 5 minutes.", href)];
}

export function unknownCounted({ open }: ChecklistFacts): Findings {
  if (open === undefined || open.unknown === 0) return [];
  const oldest = open.oldestUnknownMs === undefined ? "" : `, the oldest for ${formatDuration(open.oldestUnknownMs)}`;
  return [note(`${plural(open.unknown, "outcome")} unknown${oldest}.`, "/attention")];
}

/** Responses that the document has to declare for every call with a key. */
const REFUSALS = ["400", "409", "410"];

export function documentDeclares({ deployment: { document: declared, routes } }: ChecklistFacts): Findings {
  if (declared === undefined) return [fails("The API document is not served.")];
  const keyed = routes.filter((route) => route.keyed && !route.path.startsWith("/api/v1/admin/"));
  const missing = keyed.filter(({ path }) => !declared.some((each) => `/api/v1${each.path}` === path));
  const windowless = declared.filter(({ window }) => window === undefined);
  const silent = declared.filter(({ statuses }) => !REFUSALS.every((status) => statuses.includes(status)));
  const names = (wrong: readonly { readonly path: string }[]): string => wrong.map(({ path }) => path).join(", ");
  return [
    missing.length === 0
      ? holds(`${String(keyed.length)} of ${String(keyed.length)} routes with a key are declared so.`)
      : fails(`The header is not declared for ${missing.map(routeName).join(", ")}.`),
    windowless.length === 0
      ? holds("Each says how long a key stands.")
      : fails(`No window is declared for ${names(windowless)}.`),
    silent.length === 0
      ? holds(`Each says that ${REFUSALS.join(", ")} may come.`)
      : fails(`Refusals are missing from ${names(silent)}.`),
  ];
}
