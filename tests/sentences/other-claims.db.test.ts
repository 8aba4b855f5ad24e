import { afterAll, beforeAll, describe, it } from "vitest";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { histories, type History } from "@/tests/support/histories";
import type { Beginning } from "@/tests/support/history-beginnings";
import type { Step } from "@/tests/support/history-steps";
import { holdClaims } from "@/tests/support/hold-claims";

/**
 * Every sentence about an operation is a claim with a predicate. Operations live through histories as rows of PostgreSQL, the console
 * reads them, and each claim that it states is held against an oracle over the raw rows: what is stated is true, and
 * what is true and has to be stated is stated.
 */
/** Of each family. */
const RUNS = 12;
/** Of each family, ms. */
const BUDGET_MS = 1_500;

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());

const FAMILIES: readonly (readonly [name: string, begins: readonly Beginning[], often: readonly Step[]])[] = [
  [
    "refunds and voids",
    ["refund", "void", "refund_too_much", "void_refused"],
    ["retry", "relay", "consume", "other_command"],
  ],
  [
    "refunds and voids in doubt",
    ["refund_lost", "void_lost", "refund_no_effect", "void_no_effect"],
    ["look_up", "retry", "resolve_succeeded", "resolve_failed", "webhook_declined"],
  ],
  [
    "refunds and voids left by an owner",
    ["refund_working", "refund_died_sent", "refund_died_prepared", "void_died_sent", "void_died_prepared"],
    ["retry", "look_up", "late_success", "late_decline", "take_over_and_die"],
  ],
  [
    "of another service",
    ["other_draft", "other_two_steps", "other_sent", "other_declined", "other_no_effect"],
    ["retry", "other_command", "relay", "purge", "expire", "kill_outbox"],
  ],
  [
    "of another service, in doubt",
    ["other_lost", "other_working", "other_died_claimed", "other_died_prepared", "other_died_sent"],
    ["retry", "service_recovers", "look_up", "take_over_and_die", "late_success"],
  ],
];

describe("TRUTH-1 so it is for refunds and voids, and for operations of services in other languages", () => {
  it.each(FAMILIES)("%s", { timeout: propertyTimeout(BUDGET_MS) }, async (_name, begins, often) => {
    const [begin = "paid"] = begins;
    const common: History = {
      provider: "sandbox",
      begins: begin,
      steps: [...often],
      role: "operator",
      replay: "stored",
    };
    const size = { runs: RUNS, budgetMs: BUDGET_MS, always: [common] };
    await holdsFor(histories(begins, often), size, (history) => holdClaims(env, history));
  });

  it("a decision by hand beside a look-up that knew of no effect is not proven", async () => {
    const steps: History["steps"] = ["look_up", "resolve_failed", "retry"];
    await holdClaims(env, {
      provider: "sandbox",
      begins: "refund_no_effect",
      steps,
      role: "admin",
      replay: "none",
    });
  });
});
