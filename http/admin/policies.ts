import type { Handler, Hono } from "hono";
import { z } from "zod";
import type { ActionAnswer } from "@/engine/action-answer";
import type { PolicyOwner } from "@/engine/policies";
import { readPolicies } from "@/engine/read/read-policies";
import { setPolicy } from "@/engine/set-policy";
import type { AdminEnv, HttpDeps } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { reason } from "./action-bodies";
import { actionAnswer, bodyOf } from "./actions";

const VERSION_MAX = 2_147_483_646;

/** The settings themselves are checked by the verb, so that every caller is told the same. */
const policyBody = z.strictObject({
  overrides: z.record(z.string(), z.unknown()),
  expectedVersion: z.int("must be the version that was looked at").min(0).max(VERSION_MAX),
  reason,
});

/** How each operation treats its keys, and deciding otherwise for one of them (S1.7). */
export function registerAdminPolicies(app: Hono<AdminEnv>): void {
  app.get("/policies", async (c) => jsonAnswer(c, await readPolicies(c.get("ctx"), ownersOf(c.get("deps")))));
  // Replaces what the tenant decided for this operation as a whole: an empty object takes everything back.
  const decide: Handler<AdminEnv> = async (c) => {
    const { overrides, expectedVersion, reason: why } = await bodyOf(c, policyBody);
    const click = { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason: why };
    const change = { operation: c.req.param("operation") ?? "", overrides, expectedVersion };
    const result = await setPolicy(c.get("ctx"), ownersOf(c.get("deps")), click, change);
    return actionAnswer(c, result, { message: messageOf(result.answer) });
  };
  app.post("/policies/:operation", needsKey(decide));
}

function messageOf({ changed, after, skipped }: ActionAnswer): string {
  return changed ? `Version ${String(after["version"])} is kept.` : `Nothing changed. ${skipped[0]?.why ?? ""}`;
}

/** The operations that clients call, with what each decides itself. */
export function ownersOf({ operations }: Pick<HttpDeps, "operations">): readonly PolicyOwner[] {
  const { createPayment, createRefund, voidPayment, createAccount } = operations;
  const owners: readonly PolicyOwner[] = [createPayment, createRefund, voidPayment, createAccount];
  return owners.map(({ name, policy }) => ({ name, policy }));
}
