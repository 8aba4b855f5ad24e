import type { PolicyField } from "@/domain/idempotency/policy";
import { formatAge } from "../format/display-time";
import type { IncidentWindow } from "../metrics/incidents";
import { SETTINGS } from "../policy/policy-words";
import type { RiskMark } from "../views/risk";

/** What the audit has of a mark. */
export interface MarkEntry {
  readonly id: string;
  /** RFC 3339. */
  readonly at: string;
  readonly action: string;
  readonly subjectId: string;
  /** What a policy was and became; undefined for the others. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

export interface DeployFacts {
  readonly id: string;
  readonly at: string;
  readonly service: string;
  readonly version: string;
  readonly link?: string | undefined;
}

interface MarkInput {
  readonly entries: readonly MarkEntry[];
  readonly deploys: readonly DeployFacts[];
  readonly incidents: readonly IncidentWindow[];
  /** Name of a topic for people; an endpoint's topic is `webhook:` and its id. */
  readonly labelOf: (topic: string) => string;
}

/** Short names of settings, where one stands above a chart. */
const SHORT: Readonly<Record<PolicyField, string>> = {
  ttlHours: "key",
  expired: "expired",
  scope: "scope",
  key: "no key",
  newKey: "new key",
  bodyTtlHours: "bodies",
  metadataTtlDays: "metadata",
  mismatchStatus: "mismatch",
  unknownFields: "unknown fields",
  inFlight: "in flight",
  waitMs: "wait",
  inProgressRetryAfter: "retry after",
  leaseSeconds: "lease",
  replay: "replay",
  refusals: "refusals",
  failures: "failures",
  maxAttempts: "attempts",
  unknownRetryAfter: "retry after unknown",
};

/** Marks in the order of time. */
export function riskMarks({ entries, deploys, incidents, labelOf }: MarkInput): readonly RiskMark[] {
  return [
    ...deploys.map(deployMark),
    ...entries.flatMap((entry) => (entry.action === "policies.write" ? [policyMark(entry)] : [])),
    ...pauseMarks(entries, labelOf),
    ...incidents.map((incident) => ({
      id: `incident ${incident.label} ${incident.from}`,
      kind: "incident" as const,
      at: incident.from,
      until: incident.to,
      label: incident.label,
    })),
  ].sort((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id));
}

function deployMark({ id, at, service, version, link }: DeployFacts): RiskMark {
  return { id, kind: "deploy", at, label: `${service} ${version}`, href: link };
}

function policyMark({ id, at, subjectId, before, after }: MarkEntry): RiskMark {
  const [was, is] = [overridesOf(before), overridesOf(after)];
  const fields = (Object.keys(SHORT) as PolicyField[]).filter(
    (field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]),
  );
  const [field] = fields;
  const what =
    field === undefined || fields.length > 1
      ? `${String(fields.length)} settings`
      : `${SHORT[field]} ${valueWords(field, is[field])}`;
  return {
    id,
    kind: "policy",
    at,
    label: `${subjectId}: ${what}`,
    href: `/policies/${encodeURIComponent(subjectId)}`,
  };
}

function valueWords(field: PolicyField, value: unknown): string {
  if (typeof value !== "number" && typeof value !== "string") return "back to default";
  const { unit } = SETTINGS[field];
  return unit === undefined ? String(value) : `${String(value)} ${unit}`;
}

function overridesOf(facts: MarkEntry["before"]): Readonly<Partial<Record<string, unknown>>> {
  const overrides = facts?.["overrides"];
  return typeof overrides === "object" && overrides !== null ? (overrides as Record<string, unknown>) : {};
}

const STOPS: Readonly<Record<string, "pause" | "disable">> = {
  "topics.pause": "pause",
  "webhook_endpoints.disable": "disable",
};
const STARTS: Readonly<Record<string, "pause" | "disable">> = {
  "topics.resume": "pause",
  "webhook_endpoints.enable": "disable",
};
const WORDS = {
  pause: { stopped: "paused", started: "resumed" },
  disable: { stopped: "disabled", started: "enabled" },
} as const;

/** A pause with its end, where both are known; an end whose beginning is not read stands alone. */
function pauseMarks(entries: readonly MarkEntry[], labelOf: MarkInput["labelOf"]): readonly RiskMark[] {
  const inOrder = [...entries].sort((a, b) => a.at.localeCompare(b.at));
  const ended = new Set<string>();
  const marks: RiskMark[] = [];
  const place = (how: "pause" | "disable", id: string) => {
    const topic = how === "pause" ? id : `webhook:${id}`;
    return { name: labelOf(topic), href: `/topics/${encodeURIComponent(topic)}` };
  };
  for (const [index, { id, at, action, subjectId }] of inOrder.entries()) {
    const how = STOPS[action];
    if (how !== undefined) {
      const end = inOrder
        .slice(index + 1)
        .find((later) => STARTS[later.action] === how && later.subjectId === subjectId);
      if (end !== undefined) ended.add(end.id);
      const { name, href } = place(how, subjectId);
      const lasted = end === undefined ? "" : ` ${formatAge(Date.parse(end.at) - Date.parse(at))}`;
      const label = `${name} ${WORDS[how].stopped}${lasted}`;
      marks.push({ id, kind: "pause", at, until: end?.at, label, href });
      continue;
    }
    const started = STARTS[action];
    if (started === undefined || ended.has(id)) continue;
    const { name, href } = place(started, subjectId);
    marks.push({ id, kind: "pause", at, label: `${name} ${WORDS[started].started}`, href });
  }
  return marks;
}
