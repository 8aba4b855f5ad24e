import fc from "fast-check";
import { expect, it } from "vitest";
import { record } from "../testing/record";
import { allowedActions } from "./allowed-actions";

const SETTLES = ["reconcile", "resolve_succeeded", "resolve_failed", "keep_waiting", "release"] as const;

it("TRUTH-1 says of an operation in progress that its lease is held and until when: whether its owner works, no row says", () => {
  const lease = fc.record({
    owner: fc.constantFrom(undefined, "api-1"),
    lockedUntil: fc.constantFrom(undefined, "2026-11-19T14:43:48.000000Z"),
  });
  fc.assert(
    fc.property(lease, fc.constantFrom("payments.create", "accounts.create"), ({ owner, lockedUntil }, operation) => {
      const it = record({ state: "IN_PROGRESS", stage: "RECEIVED", operation, owner, lockedUntil });
      const actions = new Map(allowedActions(it, "admin").map(({ action, whyNot }) => [action, whyNot]));
      for (const action of SETTLES)
        expect(actions.get(action), action).toBe(
          lockedUntil === undefined
            ? "It is in progress."
            : `${owner ?? "An owner"} holds the lease until 14:43:48 UTC.`,
        );
    }),
  );
});
