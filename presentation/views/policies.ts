import type { KindExpectation } from "@/domain/operation-kind";
import type {
  OperationPolicy,
  PolicyField,
  PolicyFinding,
  PolicyLayer,
  PolicyOverrides,
} from "@/domain/idempotency/policy";

export interface PoliciesView {
  readonly at: string;
  readonly operations: readonly OperationPolicyView[];
  /** Of services: each decides by itself what the tenant did not. */
  readonly elsewhere: readonly ServicePolicyView[];
  /** A lease has to be longer. */
  readonly providerTimeoutMs: number;
  /** Seconds after which every process uses a changed policy. */
  readonly everywhereAfterSeconds: number;
  /** Whether this person may change one, or the sentence that says why not. */
  readonly change: { readonly allowed: boolean; readonly whyNot?: string | undefined };
}

/** How one operation treats keys that are claimed from now on. */
export interface OperationPolicyView {
  readonly operation: string;
  readonly kind: string;
  /** "POST /payments" */
  readonly route: string;
  /** Whether it takes money or gives some of it back; undefined: it moves none. */
  readonly money?: KindExpectation["money"];
  /** Whether it calls a provider; the local path is one transaction. */
  readonly provider: boolean;
  /** What it is done to, where another key may be refused for the same one: "payment". */
  readonly onceFor?: string | undefined;
  readonly policy: OperationPolicy;
  /** The policy without this tenant's decisions. */
  readonly inherited: OperationPolicy;
  readonly overrides: PolicyOverrides;
  /** 0 while the tenant decided nothing; a change names it. */
  readonly version: number;
  readonly changedAt?: string | undefined;
  readonly changedBy?: string | undefined;
  readonly settings: readonly SettingView[];
  /** Contradictions between its values. */
  readonly findings: readonly PolicyFinding[];
}

export interface ServicePolicyView {
  readonly operation: string;
  readonly kind: string;
  readonly route: string;
  /** Name of the service. */
  readonly owner: string;
  readonly bodyTtlHours: number;
  /** What this tenant decided; a service that reads it (SQL function operation_policy) follows it. */
  readonly overrides: PolicyOverrides;
  readonly version: number;
}

export interface SettingView {
  readonly field: PolicyField;
  readonly value: OperationPolicy[PolicyField];
  readonly from: PolicyLayer;
  /** The layer that would decide without this tenant. */
  readonly inheritedFrom: PolicyLayer;
  /** Of a tenant's decision, as far as its audit goes back. */
  readonly since?: string | undefined;
  readonly by?: string | undefined;
}
