import { describe, expect, it } from "vitest";
import { ACTIONS, CALL_ACTIONS, can, requiredRole, roleOfScopes, scopesAllow, whyNot } from "./permission";

describe("roles", () => {
  it("let a viewer read, but neither bodies nor acts", () => {
    expect(ACTIONS.filter((action) => can("viewer", action)).every((action) => action.endsWith(".read"))).toBe(true);
    expect(can("viewer", "bodies.reveal")).toBe(false);
    expect(can("viewer", "operations.reconcile")).toBe(false);
  });

  it("let an operator act, but not delete for good", () => {
    for (const action of ["bodies.reveal", "operations.reconcile", "operations.resolve", "outbox.requeue"] as const) {
      expect(can("operator", action)).toBe(true);
    }
    expect(can("operator", "retention.preview")).toBe(true);
    expect(can("operator", "retention.run")).toBe(false);
  });

  it("let an admin do all, and nobody without a role anything", () => {
    expect(ACTIONS.every((action) => can("admin", action))).toBe(true);
    expect(ACTIONS.some((action) => can(undefined, action))).toBe(false);
  });

  it("say why not in a sentence", () => {
    expect(whyNot("viewer", "operations.reconcile")).toBe("You can look, not act. Reconcile needs the role operator.");
    expect(whyNot("operator", "retention.run")).toBe(
      "You have the role operator. Purge expired bodies needs the role admin.",
    );
    expect(whyNot(undefined, "audit.read")).toBe("You are not signed in. Reading the audit needs the role viewer.");
    expect(whyNot("admin", "retention.run")).toBeUndefined();
    for (const action of ACTIONS)
      expect(whyNot("viewer", action) === undefined).toBe(requiredRole(action) === "viewer");
  });
});

describe("scopes", () => {
  it("open what they name and nothing else", () => {
    expect(scopesAllow(["payments"], "payments.write")).toBe(true);
    expect(scopesAllow(["payments"], "accounts.write")).toBe(true);
    expect(scopesAllow(["events"], "payments.write")).toBe(false);
    expect(scopesAllow(["events"], "events.send")).toBe(true);
    expect(CALL_ACTIONS.some((action) => scopesAllow([], action))).toBe(false);
  });

  it("make an admin key act as the role admin, without a right to pay", () => {
    expect(roleOfScopes(["admin"])).toBe("admin");
    expect(roleOfScopes(["payments", "events"])).toBeUndefined();
    expect(scopesAllow(["admin"], "payments.write")).toBe(false);
  });
});
