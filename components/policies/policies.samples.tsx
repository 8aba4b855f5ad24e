import { SAMPLE_LIVE } from "@/components/parts/live-samples";
import type { Part } from "@/components/parts/part";
import { LiveContext } from "@/components/shell/live-provider";
import { DEFAULT_POLICY } from "@/domain/idempotency/policy";
import { POLICY_FIELDS } from "@/domain/idempotency/policy-form";
import type { OperationPolicyView } from "@/presentation/views/policies";
import { PolicyForm } from "./policy-form";

export function samplePolicy(changes: Partial<OperationPolicyView> = {}): OperationPolicyView {
  return {
    operation: "payments.create",
    kind: "Payment",
    route: "POST /payments",
    provider: true,
    policy: DEFAULT_POLICY,
    inherited: DEFAULT_POLICY,
    overrides: {},
    version: 0,
    settings: POLICY_FIELDS.map((field) => ({
      field,
      value: DEFAULT_POLICY[field],
      from: "operation",
      inheritedFrom: "operation",
    })),
    findings: [],
    ...changes,
  };
}

export function samplePolicyForm(view: OperationPolicyView, notOffered?: string) {
  return (
    <LiveContext value={SAMPLE_LIVE}>
      <PolicyForm view={view} notOffered={notOffered} everywhereAfterSeconds={5} providerTimeoutMs={10_000} />
    </LiveContext>
  );
}

export const policyParts: readonly Part[] = [
  {
    name: "PolicyForm",
    states: [
      {
        name: "nothing is changed",
        shows: samplePolicyForm(samplePolicy()),
        says: ["Nothing is changed yet.", "Nothing to change", "In force in every process within 5 seconds."],
        off: ["Nothing to change", "Empty all fields"],
      },
      {
        name: "with a decision of this tenant",
        shows: samplePolicyForm(
          samplePolicy({ overrides: { ttlHours: 48 }, policy: { ...DEFAULT_POLICY, ttlHours: 48 }, version: 3 }),
        ),
        off: ["Nothing to change"],
        has: ['input[value="48"]'],
      },
      {
        name: "this person may not",
        shows: samplePolicyForm(samplePolicy(), "You need the role admin."),
        says: ["You need the role admin."],
        lacks: ["In force in every process"],
        off: ["*"],
      },
    ],
  },
];
