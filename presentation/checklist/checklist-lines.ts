import {
  beating,
  cannotTell,
  fails,
  holds,
  invariant,
  looked,
  note,
  operations,
  routeName,
  servesRoute,
  tooSlow,
  windowOf,
} from "./checklist-check";
import type { ChecklistFacts, KeyFacts, RetryFacts } from "./checklist-facts";
import { formatCount } from "../format/display-time";
import type { ChecklistCheck } from "../views/checklist";
import { plural } from "../format/words";

/** The lines of the checklist about retries: each takes what was read and says what it rests on. None is true by itself. */

/** Of a list of routes in one line. */
const NAMES_SHOWN = 5;

type Checks = readonly ChecklistCheck[];

export function keyRequired(facts: ChecklistFacts): Checks {
  const { routes } = facts.deployment;
  const open = routes.filter(({ keyed, otherwise }) => !keyed && otherwise === undefined);
  const missing = facts.policies.filter(({ route }) => !routes.some((each) => each.keyed && servesRoute(each, route)));
  const keyed = routes.filter((route) => route.keyed).length;
  return [
    open.length === 0
      ? holds(`${formatCount(keyed)} of ${formatCount(keyed)} routes that need a key refuse a request without one.`)
      : fails(`No key is needed by ${namesOf(open.map(routeName))}.`),
    missing.length === 0
      ? holds(`Among them ${facts.policies.map(({ route }) => route).join(", ")}.`)
      : fails(`No route with a key for ${missing.map(({ route }) => route).join(", ")}.`),
    ...routes.flatMap((route) =>
      !route.keyed && route.otherwise !== undefined ? [note(`${routeName(route)}: ${route.otherwise}.`)] : [],
    ),
    facts.keys === undefined ? tooSlow("Effects without a key") : effectsKeyed(facts.keys, facts.hours),
  ];
}

/** Names as one clause, no longer than an eye takes in. */
function namesOf(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return more > 0 ? `${names.slice(0, NAMES_SHOWN).join(", ")} and ${formatCount(more)} more` : names.join(", ");
}

function effectsKeyed({ effects }: KeyFacts, hours: number): ChecklistCheck {
  const wrong = effects.filter(({ unkeyed }) => unkeyed > 0);
  if (wrong.length > 0)
    return fails(`${wrong.map(({ kind, unkeyed }) => plural(unkeyed, kind)).join(", ")} without a key.`, {
      samples: wrong.flatMap(({ unkeyedIds }) => unkeyedIds.map((id) => ({ id, href: `/find?q=${id}` }))),
    });
  const some = effects.filter((effect) => effect.looked > 0);
  if (some.length === 0) return cannotTell(`No payment, refund or void in the last ${String(hours)} h to look at.`);
  return holds(
    `${some.map((effect) => plural(effect.looked, effect.kind)).join(", ")} in the last ${String(hours)} h: each belongs to a key.`,
    "/operations",
  );
}

export function hashed(facts: ChecklistFacts): Checks {
  const { keys, answers, hours, policies } = facts;
  const statuses = [...new Set(policies.map(({ policy }) => policy.mismatchStatus))].join(" or ");
  return [
    keys === undefined
      ? tooSlow("Hashes of commands")
      : keys.unhashed > 0
        ? fails(`${plural(keys.unhashed, "key")} without a hash of the command.`, operations(keys.unhashedIds))
        : keys.keys === 0
          ? cannotTell(`No key in the last ${String(hours)} h to look at.`)
          : holds(
              `${looked(keys.keys, "key", facts)} in the last ${String(hours)} h, each with the hash of its command.`,
            ),
    answers === undefined
      ? tooSlow("Conflicts")
      : answers.acceptedConflicts > 0
        ? fails(
            `${plural(answers.acceptedConflicts, "conflict")} answered with another status than 409 or 422.`,
            operations(answers.acceptedConflictIds),
          )
        : answers.conflicts === 0
          ? note(`No conflict in the last ${String(hours)} h; one would get ${statuses}.`, "/conflicts")
          : holds(`${plural(answers.conflicts, "conflict")}, each refused with 409 or 422.`, "/conflicts"),
  ];
}

export function sameAnswer({ answers, hours, deployment, policies }: ChecklistFacts): Checks {
  const unmarked = deployment.profiles.filter(({ mark }) => mark !== "replayed");
  const byReference = policies.filter(({ policy }) => policy.replay === "reference");
  return [
    answers === undefined
      ? tooSlow("Replays")
      : answers.differing > 0
        ? fails(
            `${plural(answers.differing, "operation")} replayed with another status or other bytes.`,
            operations(answers.differingIds),
          )
        : answers.replays === 0
          ? cannotTell(`No replay in the last ${String(hours)} h to compare.`)
          : holds(`${plural(answers.replays, "replay")}, each with the status and the bytes of the first answer.`),
    ...byReference.map(({ kind, operation }) =>
      fails(`${kind}: a replay shows the resource as it is now, as its policy says.`, {
        href: `/policies#${operation}`,
      }),
    ),
    deployment.profiles.length > 0 && unmarked.length === 0
      ? holds(`A replay says Idempotency-Status: replayed in all ${String(deployment.profiles.length)} wire profiles.`)
      : fails(
          `A replay is not marked in the profile ${unmarked.map(({ name }) => name).join(", ") || "of any caller"}.`,
        ),
  ];
}

/** One retry in this many may be too early or in vain, and a few always: clocks, networks and people are not exact. */
const TOLERATED_ONE_IN = 20;
const TOLERATED_ALWAYS = 3;

const strays = ({ tooSoon, hopeless }: RetryFacts): number => tooSoon + hopeless;

export function retried({ retries, hours }: ChecklistFacts): Checks {
  if (retries === undefined) return [tooSlow("Retries of clients")];
  if (retries.length === 0) return [cannotTell(`No client retried in the last ${String(hours)} h.`)];
  return retries.map((client) => {
    const { tooSoon, hopeless } = client;
    const text = `${client.client}: ${plural(client.retries, "retry", "retries")}, ${tooSoon === 0 ? "none" : formatCount(tooSoon)} before Retry-After, ${hopeless === 0 ? "none" : formatCount(hopeless)} after a refusal that no retry heals.`;
    const href = `/clients/${encodeURIComponent(client.client)}`;
    const tolerated = Math.max(TOLERATED_ALWAYS, client.retries / TOLERATED_ONE_IN);
    return strays(client) > tolerated ? fails(text, { href }) : holds(text, href);
  });
}

export function effectsLeave(facts: ChecklistFacts): Checks {
  return [
    invariant(facts, "success_has_message"),
    invariant(facts, "no_payload_swap"),
    invariant(facts, "dead_but_processed"),
    constraint(facts, "one inbox row per consumer, source and event id"),
    beating(facts, ["relay", "consume", "consume-alone"]),
  ];
}

function constraint({ constraints: found }: ChecklistFacts, name: string): ChecklistCheck {
  if (found === undefined) return tooSlow("Unique constraints");
  return found.missing.includes(name)
    ? fails(`The database does not enforce ${name}.`)
    : holds(`The database enforces ${name}.`);
}

/** What has to be counted, under whatever prefix. */
const METRICS = ["idempotency_requests_total", "idempotency_retry_delay_seconds"];

export function observed(facts: ChecklistFacts): Checks {
  const { answers, deployment, hours } = facts;
  const { metrics, traces } = deployment;
  const missing = METRICS.filter((name) => metrics?.includes(name) !== true);
  return [
    answers === undefined
      ? tooSlow("Events of answers")
      : answers.untraceable > 0
        ? fails(
            `${plural(answers.untraceable, "answer")} without the attempt or the request it belongs to.`,
            operations(answers.untraceableIds),
          )
        : answers.looked === 0
          ? cannotTell(`Nobody was answered in the last ${String(hours)} h.`)
          : holds(
              `${looked(answers.looked, "answer", facts)} in the last ${String(hours)} h, each with its operation, request and attempt.`,
            ),
    metrics === undefined
      ? fails("The metrics are not served.")
      : missing.length > 0
        ? fails(`Not among the metrics: ${missing.join(", ")}.`)
        : holds(`${plural(metrics.length, "metric")} served, with outcomes per operation and the delay of retries.`),
    beating(facts, ["roll-up"]),
    note(traces ? "Spans are exported." : "Spans are not exported: no collector is configured."),
  ];
}

/** Days of partitions that have to be there besides today's: a stopped worker is noticed before the last one is used up. */
const DAYS_AHEAD = 2;

export function cleanup(facts: ChecklistFacts): Checks {
  const { cleanup: found, policies } = facts;
  const contradicted = policies.filter(({ findings }) => findings.length > 0);
  return [
    contradicted.length === 0
      ? holds(`Every policy is free of contradictions: ${policies.map(windowOf).join("; ")}.`, "/policies")
      : fails(`A policy contradicts itself: ${contradicted.map(({ operation }) => operation).join(", ")}.`, {
          href: "/policies",
        }),
    beating(facts, ["retain"]),
    ...(found === undefined
      ? [tooSlow("What is past its time")]
      : [
          overdue("bodies past their time", found.overdueBodies),
          overdue("records past their days", found.overdueRecords),
          overdue("ended windows that are not closed", found.overdueWindows),
          found.daysAhead > DAYS_AHEAD
            ? holds(`Tables by day have partitions for the next ${plural(found.daysAhead - 1, "day")}.`)
            : fails(`Tables by day have partitions for ${plural(found.daysAhead, "day")} only, today included.`),
          found.lastRunAt === undefined
            ? note("Nothing had to be removed so far.", "/retention")
            : note(
                `Something was removed last on ${found.lastRunAt.slice(0, 16).replace("T", " at ")} UTC.`,
                "/retention",
              ),
        ]),
  ];
}

function overdue(what: string, count: number): ChecklistCheck {
  return count === 0
    ? holds(`No ${what}.`, "/retention")
    : fails(`${formatCount(count)} or more ${what}.`, { href: "/retention" });
}

const CREATE = "payments.create";
const REVERSE = ["refunds.create", "payments.void"];

export function symmetric(facts: ChecklistFacts): Checks {
  const create = facts.policies.find(({ operation }) => operation === CREATE);
  const reverse = facts.policies.filter(({ operation }) => REVERSE.includes(operation));
  if (create === undefined || reverse.length < REVERSE.length)
    return [fails(`Not all of ${[CREATE, ...REVERSE].join(", ")} are operations with a key.`)];
  const unkeyed = [create, ...reverse].filter(
    ({ route }) => !facts.deployment.routes.some((each) => each.keyed && servesRoute(each, route)),
  );
  const late = reverse.filter(({ policy }) => policy.expired !== create.policy.expired);
  const shorter = reverse.filter(({ policy }) => policy.ttlHours !== create.policy.ttlHours);
  return [
    unkeyed.length === 0
      ? holds(`${[create, ...reverse].map(({ kind }) => kind).join(", ")} need a key alike.`)
      : fails(`No key is needed by ${unkeyed.map(({ route }) => route).join(", ")}.`),
    late.length === 0
      ? holds(
          `After the window all of them ${create.policy.expired === "reject" ? "are refused" : "run again"}.`,
          "/policies",
        )
      : fails(
          `After the window ${late.map(({ kind }) => kind).join(" and ")} ${late.length === 1 ? "is" : "are"} treated otherwise than ${create.kind}.`,
          {
            href: "/policies",
          },
        ),
    shorter.length === 0
      ? note(`All of them stand for ${String(create.policy.ttlHours)} h.`)
      : note(`Their windows differ: ${[create, ...reverse].map(windowOf).join("; ")}.`, "/policies"),
    invariant(facts, "refunds_within_payment"),
  ];
}
