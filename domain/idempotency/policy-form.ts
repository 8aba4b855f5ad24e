import { z } from "zod";
import {
  DEFAULT_POLICY,
  EXPIRED,
  FAILURES,
  IN_FLIGHT,
  POLICY_BOUNDS,
  policyProblems,
  REFUSALS,
  REPLAYS,
  UNKNOWN_FIELDS,
  type OperationPolicy,
} from "./policy";

export type PolicyField = keyof OperationPolicy;
export const POLICY_FIELDS = Object.keys(DEFAULT_POLICY) as readonly PolicyField[];

/** Only what somebody decided otherwise. */
export type PolicyOverrides = { readonly [Field in PolicyField]?: OperationPolicy[Field] | undefined };

/** Who decided a value; a later one wins over an earlier one. */
export const POLICY_LAYERS = ["default", "environment", "operation", "tenant"] as const;
export type PolicyLayer = (typeof POLICY_LAYERS)[number];

/** What is wrong with one field; `path` is its name, or empty when no single field is to blame. */
export interface PolicyFinding {
  readonly path: string;
  readonly message: string;
}

export const MISMATCH_STATUSES = [409, 422] as const;

const between = (field: keyof typeof POLICY_BOUNDS): z.ZodType<number> => {
  const [least, most] = POLICY_BOUNDS[field];
  const text = `must be a whole number from ${String(least)} to ${String(most)}`;
  return z.number(text).int(text).min(least, text).max(most, text);
};
const oneOf = <Value extends string>(values: readonly [Value, ...Value[]]): z.ZodType<Value> =>
  z.enum(values, `must be one of ${values.join(", ")}`);

const overridesSchema = z.strictObject({
  ttlHours: between("ttlHours").optional(),
  bodyTtlHours: between("bodyTtlHours").optional(),
  metadataTtlDays: between("metadataTtlDays").optional(),
  leaseSeconds: between("leaseSeconds").optional(),
  mismatchStatus: z.literal([...MISMATCH_STATUSES], "must be 409 or 422").optional(),
  inFlight: oneOf(IN_FLIGHT).optional(),
  waitMs: between("waitMs").optional(),
  failures: oneOf(FAILURES).optional(),
  maxAttempts: between("maxAttempts").optional(),
  refusals: oneOf(REFUSALS).optional(),
  replay: oneOf(REPLAYS).optional(),
  expired: oneOf(EXPIRED).optional(),
  unknownFields: oneOf(UNKNOWN_FIELDS).optional(),
  inProgressRetryAfter: between("inProgressRetryAfter").optional(),
  unknownRetryAfter: between("unknownRetryAfter").optional(),
} satisfies { readonly [Field in PolicyField]: z.ZodType<OperationPolicy[Field] | undefined> });

export type ParsedOverrides =
  | { readonly ok: true; readonly overrides: PolicyOverrides }
  | { readonly ok: false; readonly findings: readonly PolicyFinding[] };

/** @param value whatever a caller sent as overrides; a field that no policy has is refused by its name */
export function parseOverrides(value: unknown): ParsedOverrides {
  const parsed = overridesSchema.safeParse(value);
  if (parsed.success) return { ok: true, overrides: given(parsed.data) };
  return {
    ok: false,
    findings: parsed.error.issues.flatMap((issue): PolicyFinding[] =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ path: key.slice(0, NAME_MAX), message: "is not a setting of a policy" }))
        : [{ path: issue.path.map(String).join("."), message: issue.message }],
    ),
  };
}

const NAME_MAX = 100;

/** In the order of POLICY_FIELDS and without what is undefined: equal decisions are equal texts. */
function given(overrides: PolicyOverrides): PolicyOverrides {
  return Object.fromEntries(
    POLICY_FIELDS.filter((field) => overrides[field] !== undefined).map((field) => [field, overrides[field]]),
  );
}

export interface Layered {
  readonly policy: OperationPolicy;
  readonly from: Readonly<Record<PolicyField, PolicyLayer>>;
}

/** Puts the decisions of the environment, the operation and the tenant over the default, field by field. */
export function layerPolicy(layers: Readonly<Record<Exclude<PolicyLayer, "default">, PolicyOverrides>>): Layered {
  let policy: OperationPolicy = DEFAULT_POLICY;
  const from: Partial<Record<PolicyField, PolicyLayer>> = {};
  for (const layer of POLICY_LAYERS) {
    const decided = layer === "default" ? DEFAULT_POLICY : given(layers[layer]);
    policy = { ...policy, ...(decided as Partial<OperationPolicy>) };
    for (const field of POLICY_FIELDS) if (decided[field] !== undefined) from[field] = layer;
  }
  return { policy, from: from as Record<PolicyField, PolicyLayer> };
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
