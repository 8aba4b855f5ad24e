import fc from "fast-check";
import { expect, it } from "vitest";
import { call, record } from "../testing/record";
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

it("ATTENTION-4 offers the release only where no lease is held and the journal has nothing that was sent", () => {
  const at = Date.parse(record().at);
  fc.assert(
    fc.property(
      fc.constantFrom("STALE", "UNKNOWN_REQUIRES_RECOVERY", "IN_PROGRESS", "COMPLETED"),
      fc.constantFrom(-1_000, 1_000),
      fc.constantFrom("prepared", "sent", "answered"),
      (state, leaseMs, journal) => {
        const lockedUntil = new Date(at + leaseMs).toISOString();
        const it = record({ state, stage: "RECEIVED", lockedUntil, provider: [call({ state: journal })] });
        const release = allowedActions(it, "admin").find(({ action }) => action === "release");
        const free = state === "STALE" || state === "UNKNOWN_REQUIRES_RECOVERY";
        expect(release?.allowed).toBe(free && leaseMs < 0 && journal === "prepared");
      },
    ),
  );
});
