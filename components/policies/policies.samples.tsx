import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { DEFAULT_POLICY, POLICY_FIELDS } from "@/domain/idempotency/policy";
import type { OperationPolicyView, PoliciesView as View } from "@/presentation/views/policies";
import { PoliciesView } from "./policies-view";
import { PolicyForm } from "./policy-form";
import { PolicyPage } from "./policy-page";

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
  return inLive(
    <PolicyForm view={view} notOffered={notOffered} everywhereAfterSeconds={5} providerTimeoutMs={10_000} />,
  );
}

const all = (change: View["change"], ...operations: readonly OperationPolicyView[]): View => ({
  at: SAMPLE_NOW,
  operations,
  elsewhere: [],
  providerTimeoutMs: 10_000,
  everywhereAfterSeconds: 5,
  change,
});
const NO = { allowed: false, whyNot: "You need the role admin." };
const risky = samplePolicy({
  policy: { ...DEFAULT_POLICY, expired: "execute" },
  version: 3,
  changedAt: SAMPLE_NOW,
  changedBy: "Ada",
  settings: [
    { field: "expired", value: "execute", from: "tenant", inheritedFrom: "operation", since: SAMPLE_NOW, by: "Ada" },
  ],
  findings: [{ path: "ttlHours", message: "ttlHours is below bodyTtlHours" }],
});

const of = (operation: string, kind: string, provider = true) =>
  samplePolicy({ operation, kind, route: `POST /${operation}`, provider });
const decided = samplePolicy().settings.map((setting) =>
  setting.field === "ttlHours"
    ? ({ ...setting, value: 48, from: "tenant", since: SAMPLE_NOW, by: "Ada" } as const)
    : setting.field === "refusals"
      ? ({ ...setting, value: "not_binding" } as const)
      : setting,
);
const four = [
  {
    ...samplePolicy({ policy: { ...DEFAULT_POLICY, ttlHours: 48 } }),
    settings: decided,
  },
  of("refunds.create", "Refund"),
  of("voids.create", "Void"),
  of("accounts.create", "Account", false),
];

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
        name: "of an operation without a rule for another key",
        shows: samplePolicyForm(samplePolicy()),
        lacks: ["Another key for the same thing", "Another key may do it to the same"],
        hasNot: ['select[name="newKey"]'],
        off: ["Nothing to change", "Empty all fields"],
      },
      {
        name: "that refuses another key",
        shows: samplePolicyForm(
          samplePolicy({
            onceFor: "payment",
            overrides: { newKey: "once" },
            policy: { ...DEFAULT_POLICY, newKey: "once" },
            version: 2,
          }),
        ),
        says: [
          "Another key for the same thing",
          "It is done to the same payment once: after that,",
          "A second one that is meant is refused as well, whatever key it comes with.",
        ],
        has: ['select[name="newKey"] option[value="again"]'],
        off: ["Nothing to change"],
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
  {
    name: "PoliciesView",
    states: [
      {
        name: "all as the deployment decided",
        shows: <PoliciesView view={all({ allowed: true }, samplePolicy())} />,
        says: [
          "1 operation, all at the deployment's defaults.",
          "never changed",
          "nothing",
          "Nothing: no setting differs, and this tenant set none.",
        ],
        lacks: ["risky", "contradiction", "Not offered", "The same for all"],
        has: ['a[href="/policies/payments.create"]'],
      },
      {
        name: "with operations of a service",
        shows: (
          <PoliciesView
            view={{
              ...all({ allowed: true }, samplePolicy()),
              elsewhere: [
                {
                  operation: "orders.ship",
                  kind: "Shipment",
                  route: "POST /orders/{id}/shipment",
                  owner: "warehouse",
                  bodyTtlHours: 48,
                  overrides: { bodyTtlHours: 48 },
                  version: 1,
                },
                {
                  operation: "orders.place",
                  kind: "Order",
                  route: "POST /orders",
                  owner: "shop",
                  bodyTtlHours: 72,
                  overrides: {},
                  version: 0,
                },
              ],
            }}
          />
        ),
        says: [
          "Operations of services",
          "each service decides what is not set here",
          "Shipment",
          "warehouse",
          "48 h",
          "nothing",
        ],
        has: ['a[href="/policies/payments.create"]'],
        hasNot: ['a[href="/policies/orders.ship"]'],
      },
      {
        name: "decided by this tenant, with a risk and a contradiction",
        shows: <PoliciesView view={all(NO, risky)} />,
        says: [
          "1 setting set by this tenant.",
          "1 risky choice.",
          "1 contradiction.",
          "Contradiction:",
          "version 3",
          "Not offered: You need the role admin.",
        ],
        has: ['[data-own="true"]', 'td [data-tone="doubt"]'],
        off: ["Change payments.create"],
      },
      {
        name: "a risk of the deployment, alike for all",
        shows: (
          <PoliciesView
            view={all(
              { allowed: true },
              ...four.slice(1).map((view) => ({
                ...view,
                policy: { ...DEFAULT_POLICY, expired: "execute" as const },
                settings: view.settings.map((one) =>
                  one.field === "expired" ? { ...one, value: "execute" as const } : one,
                ),
              })),
            )}
          />
        ),
        says: ["3 risky choices.", "A late retry moves money again", "A late retry runs again"],
        hasNot: ['table[aria-label="Settings that differ"]'],
      },
      {
        name: "four operations, two settings differ",
        shows: <PoliciesView view={all({ allowed: true }, ...four)} />,
        says: ["The same for all 4", "Payment, Refund, Void: ", "this tenant, Ada, ", "; else 24 h"],
        has: [
          'table[aria-label="Settings that differ"] tbody tr:nth-child(2)',
          'a[href="/policies/refunds.create"]',
          'td [data-own="true"]',
        ],
        hasNot: ['table[aria-label="Settings that differ"] tbody tr:nth-child(3)'],
      },
    ],
  },
  {
    name: "PolicyPage",
    states: [
      {
        name: "never changed",
        shows: inLive(<PolicyPage view={all({ allowed: true })} operation={samplePolicy()} />),
        says: ["Policy of Payment", "never changed"],
        off: ["Nothing to change", "Empty all fields"],
      },
      {
        name: "this person may not",
        shows: inLive(<PolicyPage view={all(NO)} operation={samplePolicy({ version: 3 })} />),
        says: ["version 3", "You need the role admin."],
        off: ["*"],
      },
    ],
  },
];
