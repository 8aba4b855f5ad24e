import { DEFAULT_POLICY } from "@/domain/idempotency/policy";
import { changedFields, layerPolicy, type Layered, type PolicyOverrides } from "@/domain/idempotency/policy-form";
import { deploymentPolicy, type PolicyOwner } from "./policies";
import type { EngineConfig } from "@/engine/engine-config";

/** The policy of one operation with the layer that decided each value; the same policy as PolicySource gives. */
export function layersOf(config: EngineConfig, owner: PolicyOwner, tenant: PolicyOverrides): Layered {
  const deployed = deploymentPolicy(config);
  // A variable that repeats the default decided nothing.
  const said = changedFields(DEFAULT_POLICY, deployed);
  const environment = Object.fromEntries(said.map((field) => [field, deployed[field]])) as PolicyOverrides;
  return layerPolicy({ environment, operation: owner.policy, tenant });
}
