import { z } from "zod";

/** @param otherwise the default of the product; both bounds are allowed */
const whole = (otherwise: number, least: number, most: number) => {
  const text = `must be a whole number from ${String(least)} to ${String(most)}`;
  const bounds = [least, most] as const;
  return { otherwise, bounds, values: z.number(text).int(text).min(least, text).max(most, text) };
};
/** The first is the default of the product. */
const oneOf = <const Value extends string>(...all: readonly [Value, ...Value[]]) => {
  const [otherwise] = all;
  return { otherwise, values: z.literal([...all], `must be one of ${all.join(", ")}`) };
};

/** How one operation treats its keys. A tenant may decide otherwise: engine/policies/policies.ts. */
const POLICY = {
  /** Hours that a key stands for its command: the replay window. */
  ttlHours: whole(24, 1, 8_760),
  /** Whether two clients of one tenant share a key of this operation: the second is refused, or has a key of its own. */
  scope: oneOf("operation", "principal"),
  /** Whether a request without a key is refused, or runs unprotected under a key that is made for it. */
  key: oneOf("required", "optional"),
  /** Whether another key may do the same thing again (`again`: as far as the operation's own rules allow), or is refused (`once`). */
  newKey: oneOf("again", "once"),
  /** Hours that command and answer are kept, not shorter than the window. */
  bodyTtlHours: whole(72, 1, 8_760),
  /** Days that the record without its bodies is kept, not shorter than the bodies. */
  metadataTtlDays: whole(90, 1, 3_650),
  /** Seconds that an owner may work before recovery takes over. Longer than the provider timeout. */
  leaseSeconds: whole(30, 1, 3_600),
  /** Status of a conflict: 409 by default, 422 where callers follow the IETF draft. */
  mismatchStatus: { otherwise: 409 as 409 | 422, values: z.literal([409, 422], "must be 409 or 422") },
  /** What a caller gets while the first request of its key is still at work. Never 425. */
  inFlight: oneOf("conflict", "wait", "accepted"),
  /** Longest wait of one caller in milliseconds, when `inFlight` is `wait`. */
  waitMs: whole(2_000, 100, 10_000),
  /** `strict`: a failure that no retry heals is the answer for good. `retryable`: at most one success. */
  failures: oneOf("retryable", "strict"),
  /** Runs of one key after definite failures without effect; then a person has to look. */
  maxAttempts: whole(25, 1, 1_000),
  /** Whether a business refusal (insufficient funds) is the answer of its key for good. */
  refusals: oneOf("binding", "not_binding"),
  /** Where a replay finds its answer: the bytes of the first one, or the resource as it is now. */
  replay: oneOf("stored", "reference"),
  /** What a retry gets when the window is over: an error, or a new operation. */
  expired: oneOf("reject", "execute"),
  /** Members of a body that the contract does not know. */
  unknownFields: oneOf("reject", "ignore"),
  /** Retry-After of an in-progress answer, in seconds, at the most; the lease's rest when that is shorter. */
  inProgressRetryAfter: whole(2, 1, 60),
  /** Retry-After of an outcome-unknown answer, in seconds. */
  unknownRetryAfter: whole(60, 1, 3_600),
};

export type PolicyField = keyof typeof POLICY;
export const POLICY_FIELDS = Object.keys(POLICY) as readonly PolicyField[];
export type OperationPolicy = { readonly [Field in PolicyField]: (typeof POLICY)[Field]["otherwise"] };
/** Only what somebody decided otherwise. */
export type PolicyOverrides = { readonly [Field in PolicyField]?: OperationPolicy[Field] | undefined };

const perField = (value: (field: PolicyField) => unknown) =>
  Object.fromEntries(POLICY_FIELDS.map((field) => [field, value(field)]));

export const DEFAULT_POLICY = perField((field) => POLICY[field].otherwise) as OperationPolicy;

/** Bounds of a number, both ends allowed; a choice has none. */
export function policyBounds(field: PolicyField): readonly [least: number, most: number] | undefined {
  const setting = POLICY[field];
  return "bounds" in setting ? setting.bounds : undefined;
}

/**
 * Reads stored overrides. What is no setting or out of its bounds is left out, so that a row written by another version
 * never stops the service.
 */
export function policyOverrides(stored: Readonly<Record<string, unknown>>): Partial<OperationPolicy> {
  const kept = POLICY_FIELDS.filter((field) => POLICY[field].values.safeParse(stored[field]).success);
  return Object.fromEntries(kept.map((field) => [field, stored[field]]));
}

/** Who decided a value; a later one wins over an earlier one. */
export const POLICY_LAYERS = ["default", "environment", "operation", "tenant"] as const;
export type PolicyLayer = (typeof POLICY_LAYERS)[number];

/** What is wrong with one field; `path` is its name, or empty when no single field is to blame. */
export interface PolicyFinding {
  readonly path: string;
  readonly message: string;
}

/** Longest name that a finding repeats. */
const NAME_MAX = 100;
const overridesSchema = z.strictObject(perField((field) => POLICY[field].values.optional()) as z.ZodRawShape);

export type ParsedOverrides =
  | { readonly ok: true; readonly overrides: PolicyOverrides }
  | { readonly ok: false; readonly findings: readonly PolicyFinding[] };

/** @param value whatever a caller sent as overrides; a field that no policy has is refused by its name */
export function parseOverrides(value: unknown): ParsedOverrides {
  const parsed = overridesSchema.safeParse(value);
  if (parsed.success) return { ok: true, overrides: policyOverrides(parsed.data) };
  return {
    ok: false,
    findings: parsed.error.issues.flatMap((issue): PolicyFinding[] =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ path: key.slice(0, NAME_MAX), message: "is not a setting of a policy" }))
        : [{ path: issue.path.map(String).join("."), message: issue.message }],
    ),
  };
}

export interface Layered {
  readonly policy: OperationPolicy;
  readonly from: Readonly<Record<PolicyField, PolicyLayer>>;
}

/** Puts the decisions of the environment, the operation and the tenant over the default, field by field. */
export function layerPolicy(layers: Readonly<Record<Exclude<PolicyLayer, "default">, PolicyOverrides>>): Layered {
  const policy: Partial<Record<PolicyField, unknown>> = {};
  const from: Partial<Record<PolicyField, PolicyLayer>> = {};
  for (const layer of POLICY_LAYERS) {
    const decided = layer === "default" ? DEFAULT_POLICY : layers[layer];
    for (const field of POLICY_FIELDS) {
      if (decided[field] === undefined) continue;
      policy[field] = decided[field];
      from[field] = layer;
    }
  }
  return { policy, from } as Layered;
}

/** @returns each contradiction of a policy at the field that its sentence begins with. */
export function policyFindings(policy: OperationPolicy, providerTimeoutMs: number): readonly PolicyFinding[] {
  return policyProblems(policy, providerTimeoutMs).map((message) => ({ path: fieldIn(message), message }));
}

function fieldIn(sentence: string): string {
  return sentence.match(/[A-Za-z]+/g)?.find((word) => POLICY_FIELDS.some((field) => field === word)) ?? "";
}

/** @returns the names of the fields whose values are not the same. */
export function changedFields(before: PolicyOverrides, after: PolicyOverrides): readonly PolicyField[] {
  return POLICY_FIELDS.filter((field) => before[field] !== after[field]);
}

const MS_PER_SECOND = 1_000;
const HOURS_PER_DAY = 24;

/**
 * What is wrong between values that are each in order; the same rules for the environment, an operation and a tenant.
 *
 * @param providerTimeoutMs longest exchange with the provider
 * @returns one sentence for each contradiction; empty when the policy may be used
 */
export function policyProblems(policy: OperationPolicy, providerTimeoutMs: number): string[] {
  const problems: string[] = [];
  // A lease that ends during a provider call would let recovery start while the owner still waits for its answer.
  if (policy.leaseSeconds * MS_PER_SECOND <= providerTimeoutMs)
    problems.push("leaseSeconds must be longer than the provider timeout");
  if (policy.bodyTtlHours > policy.metadataTtlDays * HOURS_PER_DAY)
    problems.push("bodyTtlHours must not be longer than metadataTtlDays: bodies are deleted first");
  if (policy.bodyTtlHours < policy.ttlHours)
    problems.push("bodyTtlHours must not be shorter than ttlHours: a repeat in its window gets the kept answer");
  // Without the row a repeat inside its window would be executed again.
  if (policy.ttlHours > policy.metadataTtlDays * HOURS_PER_DAY)
    problems.push("ttlHours must not be longer than metadataTtlDays");
  if (policy.failures === "strict" && policy.refusals === "not_binding")
    problems.push("a strict operation keeps its refusals: refusals must be binding");
  return problems;
}
