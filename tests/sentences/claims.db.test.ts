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
  ["paid", ["paid"], ["retry", "refused_in_progress", "relay", "consume"]],
  ["declined", ["declined"], ["retry", "refused_in_progress", "other_command", "webhook_declined"]],
  ["in doubt", ["lost"], ["look_up", "look_up_fails", "take_over_and_die", "retry"]],
  [
    "left by an owner",
    ["died_sent", "died_prepared", "working"],
    ["retry", "look_up", "take_over_and_die", "late_success"],
  ],
  ["settled by hand", ["lost"], ["resolve_succeeded", "resolve_failed", "webhook_succeeded", "retry"]],
  [
    "settled by hand, and answered later",
    ["died_sent"],
    ["resolve_succeeded", "resolve_failed", "late_success", "late_decline"],
  ],
  ["with dead messages", ["paid"], ["relay", "kill_outbox", "kill_inbox", "discard_outbox", "post_late"]],
  ["refused here", ["taken_reference", "taken_account"], ["retry", "other_command", "purge", "expire"]],
  ["without an effect", ["no_effect"], ["retry", "expire", "refused_in_progress", "relay"]],
  ["executed again after its window", ["paid", "declined", "account"], ["retry", "late_run", "relay", "consume"]],
  ["run as often as its policy lets it", ["died_prepared"], ["look_up", "one_run", "retry"]],
  ["local, purged and expired", ["account", "paid"], ["retry", "purge", "expire", "relay"]],
  [
    "with evidence",
    ["lost", "died_sent"],
    ["late_success", "late_decline", "look_up", "webhook_same_amount", "post_late"],
  ],
];

describe("TRUTH-1 each sentence about an operation is borne out by rows, and none that has to be said is missing", () => {
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
});
