import type { ChecklistFacts, DocumentedFact, RouteFact } from "@/domain/checks/checklist-facts";
import { formatCount } from "../format/display-time";
import { plural } from "../format/words";
import { type CheckClaim, type FactsOf, findings, type Findings, routeName, unserved } from "./finding";

/** Checks of what a service serves and what its policies say. */

const NAMES_SHOWN = 5;

const keyedRoutes = ({ deployment }: ChecklistFacts): readonly RouteFact[] =>
  deployment.routes.filter(({ keyed }) => keyed);
/** A policy lets requests without a key run. */
const isOptional = ({ policies }: ChecklistFacts, { method, path }: RouteFact): boolean =>
  policies.some(
    ({ policy, route }) => policy.key === "optional" && `${method} ${path.replace("/api/v1", "")}` === route,
  );
/** Routes that nothing makes harmless when they are called twice. */
const openRoutes = (facts: ChecklistFacts): readonly RouteFact[] =>
  facts.deployment.routes.filter((route) => (route.keyed ? isOptional(facts, route) : route.otherwise === undefined));

function shownRoutes(routes: readonly RouteFact[]): string {
  const more = routes.length - NAMES_SHOWN;
  const names = routes.slice(0, NAMES_SHOWN).map(routeName).join(", ");
  return more > 0 ? `${names} and ${formatCount(more)} more` : names;
}

const ROUTE_CLAIMS: readonly CheckClaim<ChecklistFacts>[] = [
  {
    name: "each route needs a key",
    verdict: "holds",
    holds: (facts) => openRoutes(facts).length === 0 && keyedRoutes(facts).length > 0,
    words: (facts) => {
      const count = formatCount(keyedRoutes(facts).length);
      return `${count} of ${count} routes that need a key refuse a request without one.`;
    },
  },
  {
    name: "no route",
    verdict: "cannot_tell",
    holds: ({ deployment }) => deployment.routes.length === 0,
    words: () => "No route that changes something is served.",
  },
  {
    name: "routes without a key",
    verdict: "fails",
    holds: (facts) => openRoutes(facts).length > 0,
    words: (facts) => `No key is needed by ${shownRoutes(openRoutes(facts))}.`,
  },
  {
    name: "the routes of the policies are among them",
    verdict: "holds",
    holds: (facts) => facts.policies.length > 0 && unserved(facts).length === 0 && openRoutes(facts).length === 0,
    words: ({ policies }) => `Among them ${policies.map(({ route }) => route).join(", ")}.`,
  },
  {
    name: "a policy without its route",
    verdict: "fails",
    holds: (facts) => unserved(facts).length > 0,
    words: (facts) => `No route with a key for ${unserved(facts).join(", ")}.`,
  },
];

const OTHERWISE_CLAIMS: readonly CheckClaim<RouteFact>[] = [
  {
    name: "harmless otherwise",
    verdict: "note",
    holds: ({ keyed, otherwise }) => !keyed && otherwise !== undefined,
    words: (route) => `${routeName(route)}: ${route.otherwise ?? ""}.`,
  },
];

export function routesNeedKey(facts: ChecklistFacts): Findings {
  return [
    ...findings(ROUTE_CLAIMS, facts),
    ...facts.deployment.routes.flatMap((route) => findings(OTHERWISE_CLAIMS, route)),
  ];
}

const unmarked = ({ deployment }: ChecklistFacts): readonly string[] =>
  deployment.profiles.filter(({ mark }) => mark !== "replayed").map(({ name }) => name);

const MARK_CLAIMS: readonly CheckClaim<ChecklistFacts>[] = [
  {
    name: "each profile marks a replay",
    verdict: "holds",
    holds: (facts) => facts.deployment.profiles.length > 0 && unmarked(facts).length === 0,
    words: ({ deployment: { profiles } }) =>
      `A replay says Idempotency-Status: replayed in ${profiles.length === 1 ? "the one wire profile" : `all ${String(profiles.length)} wire profiles`}.`,
  },
  {
    name: "no profile",
    verdict: "fails",
    holds: ({ deployment }) => deployment.profiles.length === 0,
    words: () => "A replay is not marked in the profile of any caller.",
  },
  {
    name: "profiles that mark nothing",
    verdict: "fails",
    holds: (facts) => unmarked(facts).length > 0,
    words: (facts) => `A replay is not marked in the profile ${unmarked(facts).join(", ")}.`,
  },
];

export function replaysMarked(facts: ChecklistFacts): Findings {
  return findings(MARK_CLAIMS, facts);
}

/** Metrics that have to be served, with any prefix. */
const METRICS = ["idempotency_requests_total", "idempotency_retry_delay_seconds"];
const missingMetrics = ({ deployment: { metrics } }: ChecklistFacts): readonly string[] =>
  metrics === undefined ? [] : METRICS.filter((name) => !metrics.includes(name));

const METRIC_CLAIMS: readonly CheckClaim<ChecklistFacts>[] = [
  {
    name: "no metrics",
    verdict: "fails",
    holds: ({ deployment }) => deployment.metrics === undefined,
    words: () => "The metrics are not served.",
  },
  {
    name: "metrics are missing",
    verdict: "fails",
    holds: (facts) => missingMetrics(facts).length > 0,
    words: (facts) => `Not among the metrics: ${missingMetrics(facts).join(", ")}.`,
  },
  {
    name: "the metrics are served",
    verdict: "holds",
    holds: (facts) => facts.deployment.metrics !== undefined && missingMetrics(facts).length === 0,
    words: ({ deployment: { metrics = [] } }) =>
      `${plural(metrics.length, "metric")} served, with outcomes per operation and the delay of retries.`,
  },
];

export function metricsServed(facts: ChecklistFacts): Findings {
  return findings(METRIC_CLAIMS, facts);
}

const SPAN_CLAIMS: readonly CheckClaim<ChecklistFacts>[] = [
  {
    name: "spans are exported",
    verdict: "note",
    holds: ({ deployment }) => deployment.traces,
    words: () => "Spans are exported.",
  },
  {
    name: "spans are not exported",
    verdict: "note",
    holds: ({ deployment }) => !deployment.traces,
    words: () => "Spans are not exported: no collector is configured.",
  },
];

export function spansExported(facts: ChecklistFacts): Findings {
  return findings(SPAN_CLAIMS, facts);
}

/** Responses that the document has to declare for every call with a key. */
const REFUSALS = ["400", "409", "410"];

type Declared = FactsOf<readonly DocumentedFact[]>;
const toDeclare = (facts: ChecklistFacts): readonly RouteFact[] =>
  keyedRoutes(facts).filter(({ path }) => !path.startsWith("/api/v1/admin/"));
const undeclared = (facts: Declared): readonly RouteFact[] =>
  toDeclare(facts).filter(({ path }) => !facts.it.some((each) => `/api/v1${each.path}` === path));
const windowless = ({ it }: Declared): readonly DocumentedFact[] => it.filter(({ window }) => window === undefined);
const silent = ({ it }: Declared): readonly DocumentedFact[] =>
  it.filter(({ statuses }) => !REFUSALS.every((status) => statuses.includes(status)));
const paths = (calls: readonly DocumentedFact[]): string => calls.map(({ path }) => path).join(", ");

const DOCUMENT_CLAIMS: readonly CheckClaim<Declared>[] = [
  {
    name: "each route is declared",
    verdict: "holds",
    holds: (facts) => toDeclare(facts).length > 0 && undeclared(facts).length === 0,
    words: (facts) => {
      const count = String(toDeclare(facts).length);
      return `${count} of ${count} routes with a key are declared so.`;
    },
  },
  {
    name: "routes that are not declared",
    verdict: "fails",
    holds: (facts) => undeclared(facts).length > 0,
    words: (facts) => `The header is not declared for ${undeclared(facts).map(routeName).join(", ")}.`,
  },
  {
    name: "each has a window",
    verdict: "holds",
    holds: (facts) => facts.it.length > 0 && windowless(facts).length === 0,
    words: () => "Each says how long a key stands.",
  },
  {
    name: "no window",
    verdict: "fails",
    holds: (facts) => windowless(facts).length > 0,
    words: (facts) => `No window is declared for ${paths(windowless(facts))}.`,
  },
  {
    name: "each has its refusals",
    verdict: "holds",
    holds: (facts) => facts.it.length > 0 && silent(facts).length === 0,
    words: () => `Each says that ${REFUSALS.join(", ")} may come.`,
  },
  {
    name: "refusals are missing",
    verdict: "fails",
    holds: (facts) => silent(facts).length > 0,
    words: (facts) => `Refusals are missing from ${paths(silent(facts))}.`,
  },
];

const NO_DOCUMENT_CLAIMS: readonly CheckClaim<ChecklistFacts>[] = [
  {
    name: "no document",
    verdict: "fails",
    holds: ({ deployment }) => deployment.document === undefined,
    words: () => "The API document is not served.",
  },
];

export function documentDeclares(facts: ChecklistFacts): Findings {
  const { document: it } = facts.deployment;
  const none = findings(NO_DOCUMENT_CLAIMS, facts);
  return it === undefined ? none : findings(DOCUMENT_CLAIMS, { ...facts, it });
}
