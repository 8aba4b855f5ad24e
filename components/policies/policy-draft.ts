import {
  type OperationPolicy,
  POLICY_FIELDS,
  type PolicyField,
  type PolicyOverrides,
} from "@/domain/idempotency/policy";
import { SETTINGS } from "@/presentation/policy/policy-words";

/** What stands in the fields: a text each, empty where the deployment decides. */
export type Draft = Readonly<Record<PolicyField, string>>;

export function draftOf(overrides: PolicyOverrides): Draft {
  return Object.fromEntries(POLICY_FIELDS.map((field) => [field, String(overrides[field] ?? "")])) as Draft;
}

/** @returns what is sent: numbers where a text is one, else the text itself, which the server refuses by its name. */
export function overridesOf(draft: Draft): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    POLICY_FIELDS.filter((field) => draft[field].trim() !== "").map((field) => [field, valueOf(field, draft[field])]),
  );
}

/** @returns the policy that would hold; a text that is no number yet counts as not decided. */
export function policyOf(draft: Draft, inherited: OperationPolicy): OperationPolicy {
  const decided = Object.entries(overridesOf(draft)).filter(
    ([field, value]) => typeof value === typeof inherited[field as PolicyField],
  );
  return { ...inherited, ...(Object.fromEntries(decided) as Partial<OperationPolicy>) };
}

function valueOf(field: PolicyField, text: string): string | number {
  const written = text.trim();
  const numeric = SETTINGS[field].unit !== undefined || field === "mismatchStatus";
  return numeric && /^\d{1,9}$/.test(written) ? Number(written) : written;
}
