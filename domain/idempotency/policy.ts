/** What a caller is told while the first request of its key is still at work. Never 425. */
export const IN_FLIGHT = ["conflict", "wait", "accepted"] as const;
/** `strict`: a failure that no retry heals is the answer for good. `retryable`: at most one success. */
export const FAILURES = ["retryable", "strict"] as const;
/** Whether a business refusal (insufficient funds) is the answer of its key for good. */
export const REFUSALS = ["binding", "not_binding"] as const;
/** Where a replay finds its answer: the bytes of the first one, or the resource as it is now. */
export const REPLAYS = ["stored", "reference"] as const;
/** What a retry gets when the window is over: an error, or a new operation. */
export const EXPIRED = ["reject", "execute"] as const;
/** Members of a body that the contract does not know. */
export const UNKNOWN_FIELDS = ["reject", "ignore"] as const;

/** How one operation treats its keys. A tenant may decide otherwise: engine/policies/policies.ts. */
export interface OperationPolicy {
  /** Hours that a key stands for its command: the replay window. */
  readonly ttlHours: number;
  /** Hours that command and answer are kept, not shorter than the window. */
  readonly bodyTtlHours: number;
  /** Days that the record without its bodies is kept, not shorter than the bodies. */
  readonly metadataTtlDays: number;
  /** Seconds that an owner may work before recovery takes over. Longer than the provider timeout. */
  readonly leaseSeconds: number;
  /** Status of a conflict: 409 by default, 422 where callers follow the IETF draft. */
  readonly mismatchStatus: 409 | 422;
  readonly inFlight: (typeof IN_FLIGHT)[number];
  /** Longest wait of one caller in milliseconds, when `inFlight` is `wait`. */
  readonly waitMs: number;
  readonly failures: (typeof FAILURES)[number];
  /** Runs of one key after definite failures without effect; then a person has to look. */
  readonly maxAttempts: number;
  readonly refusals: (typeof REFUSALS)[number];
  readonly replay: (typeof REPLAYS)[number];
  readonly expired: (typeof EXPIRED)[number];
  readonly unknownFields: (typeof UNKNOWN_FIELDS)[number];
  /** Retry-After of an in-progress answer, in seconds, at the most; the lease's rest when that is shorter. */
  readonly inProgressRetryAfter: number;
  /** Retry-After of an outcome-unknown answer, in seconds. */
  readonly unknownRetryAfter: number;
}

export const DEFAULT_POLICY: OperationPolicy = {
  ttlHours: 24,
  bodyTtlHours: 72,
  metadataTtlDays: 90,
  leaseSeconds: 30,
  mismatchStatus: 409,
  inFlight: "conflict",
  waitMs: 2_000,
  failures: "retryable",
  maxAttempts: 25,
  refusals: "binding",
  replay: "stored",
  expired: "reject",
  unknownFields: "reject",
  inProgressRetryAfter: 2,
  unknownRetryAfter: 60,
};

/** Bounds of the numbers, both ends allowed. */
export const POLICY_BOUNDS = {
  ttlHours: [1, 8_760],
  bodyTtlHours: [1, 8_760],
  metadataTtlDays: [1, 3_650],
  leaseSeconds: [1, 3_600],
  waitMs: [100, 10_000],
  maxAttempts: [1, 1_000],
  inProgressRetryAfter: [1, 60],
  unknownRetryAfter: [1, 3_600],
} as const satisfies Partial<Record<keyof OperationPolicy, readonly [number, number]>>;

const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  mismatchStatus: [409, 422],
  inFlight: IN_FLIGHT,
  failures: FAILURES,
  refusals: REFUSALS,
  replay: REPLAYS,
  expired: EXPIRED,
  unknownFields: UNKNOWN_FIELDS,
};

/**
 * Reads stored overrides. What is no setting or out of its bounds is left out, so that a row written by another version
 * never stops the service.
 */
export function policyOverrides(stored: Readonly<Record<string, unknown>>): Partial<OperationPolicy> {
  const bounds: Readonly<Record<string, readonly [number, number]>> = POLICY_BOUNDS;
  const kept = Object.entries(stored).filter(([name, value]) => {
    const [min, max] = bounds[name] ?? [0, -1];
    if (Number.isInteger(value))
      return (Number(value) >= min && Number(value) <= max) || CHOICES[name]?.includes(value);
    return CHOICES[name]?.includes(value) === true;
  });
  return Object.fromEntries(kept);
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
    problems.push("bodyTtlHours must not be longer than metadataTtlDays: bodies die before metadata");
  if (policy.bodyTtlHours < policy.ttlHours)
    problems.push("bodyTtlHours must not be shorter than ttlHours: a repeat in its window gets the kept answer");
  // Without the row a repeat inside its window would be executed again.
  if (policy.ttlHours > policy.metadataTtlDays * HOURS_PER_DAY)
    problems.push("ttlHours must not be longer than metadataTtlDays");
  if (policy.failures === "strict" && policy.refusals === "not_binding")
    problems.push("a strict operation keeps its refusals: refusals must be binding");
  return problems;
}
