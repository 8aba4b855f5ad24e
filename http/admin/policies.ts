import type { Hono } from "hono";
import { z } from "zod";
import type { PolicyOwner } from "@/engine/policies/policies";
import { readPolicies } from "@/console/read/deployment/read-policies";
import { setPolicy } from "@/console/actions/set-policy";
import type { AdminEnv, Container } from "../env";
import { withMessage } from "./action-answer";
import { reason } from "./action-bodies";
import { act, read } from "./declare";

const VERSION_MAX = 2_147_483_646;

/** The settings themselves are checked by the verb, so that every caller gets the same answer. */
const policyBody = z.strictObject({
  overrides: z.record(z.string(), z.unknown()),
  expectedVersion: z.int("must be the version that was looked at").min(0).max(VERSION_MAX),
  reason,
});

/** The policy of each operation, and deciding otherwise for one of them. */
export function registerAdminPolicies(app: Hono<AdminEnv>): void {
  const policies = { id: "readPolicies", summary: "The policy of each operation" };
  read(app, "policies.read", "/policies", policies, (ctx, c) => readPolicies(ctx, ownersOf(c.get("deps"))));
  const decide = {
    id: "setPolicy",
    summary: "Change the policy of an operation",
    description: "Replaces everything the tenant set for this operation: an empty object resets it to the defaults.",
    body: policyBody,
    errors: ["policy.not_found", "policy.version_conflict", "validation.policy"],
  };
  act(app, "policies.write", "/policies/:operation", decide, async ({ c, ctx, origin }, body) => {
    const { overrides, expectedVersion } = body;
    const change = { operation: c.req.param("operation") ?? "", overrides, expectedVersion };
    const result = await setPolicy(ctx, ownersOf(c.get("deps")), origin, change);
    return withMessage(c, result, `Version ${String(result.answer.after["version"])} is kept.`);
  });
}

/** The operations that clients call, with what each decides itself. */
export function ownersOf({ modules }: Pick<Container, "modules">): readonly PolicyOwner[] {
  return modules.operations.map(({ name, policy, onceFor }) => ({ name, policy, onceFor }));
}
