import { describe, expect, it } from "vitest";
import { ACTIONS, can, requiredRole, roleOfScopes, rolesOf, scopesAllow, whyNot } from "./permission";
import { ROLES } from "../idempotency/states";

/** What somebody may do about their own sign-in, whatever their role. */
const OWN = ["sessions.revoke_own", "time_zone.change_own", "two_factor.change_own"];
const reads = (action: string): boolean => /\.read(_own)?$/.test(action) || OWN.includes(action);

describe("roles", () => {
  it("let a viewer read, but neither bodies nor acts", () => {
    expect(ACTIONS.filter((action) => can("viewer", action)).filter((action) => !reads(action))).toEqual([]);
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

  it("let an approver look as closely as an operator and decide, but start nothing (ACCESS-2)", () => {
    expect(ACTIONS.filter((action) => can("approver", action) && !reads(action)).toSorted()).toEqual([
      "audit.verify",
      "bodies.reveal",
      // A look-up changes nothing, and who decides may want a newer answer.
      "plans.ask",
      "plans.decide",
      "retention.preview",
    ]);
    expect(can("operator", "plans.decide")).toBe(false);
  });

  it("let an auditor read all but bodies, take the audit along, and act on nothing (ACCESS-2)", () => {
    expect(ACTIONS.filter((action) => can("auditor", action) && !reads(action)).toSorted()).toEqual([
      "audit.export",
      "audit.verify",
      "retention.preview",
    ]);
    expect(ACTIONS.filter((action) => can("viewer", action) && !can("auditor", action))).toEqual([]);
  });

  it("name a role that may do it, each once", () => {
    for (const action of ACTIONS) {
      expect(can(requiredRole(action), action)).toBe(true);
      expect(new Set(rolesOf(action)).size).toBe(rolesOf(action).length);
      expect(ROLES).toEqual(expect.arrayContaining([...rolesOf(action)]));
    }
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
    expect(whyNot("auditor", "operations.reconcile")).toBe("You can look, not act. Reconcile needs the role operator.");
    for (const action of ["outbox.discard", "inbox.discard"] as const)
      expect(whyNot("viewer", action)).toBe("You can look, not act. Discard needs the role operator.");
    expect(whyNot("viewer", "operators.read")).toBe(
      "On all tenants you have the role viewer. Reading people and their sessions needs the role admin on all tenants.",
    );
    expect(whyNot("operator", "plans.decide")).toBe(
      "You have the role operator. Approving or rejecting a plan needs the role approver.",
    );
    for (const action of ACTIONS) expect(whyNot("viewer", action) === undefined).toBe(can("viewer", action));
  });
});

describe("scopes", () => {
  it("open what they name and nothing else", () => {
    expect(scopesAllow(["orders"], ["orders"])).toBe(true);
    expect(scopesAllow(["orders"], ["stock", "orders"])).toBe(true);
    expect(scopesAllow(["events"], ["orders"])).toBe(false);
    expect(scopesAllow(["orders", "stock", "admin"], ["events"])).toBe(false);
    expect(scopesAllow([], ["orders"])).toBe(false);
    expect(scopesAllow(["orders"], [])).toBe(false);
  });

  it("make an admin key act as the role admin, without the scope of a call", () => {
    expect(roleOfScopes(["admin"])).toBe("admin");
    expect(roleOfScopes(["payments", "events"])).toBeUndefined();
    expect(scopesAllow(["admin"], ["orders"])).toBe(false);
  });
});
