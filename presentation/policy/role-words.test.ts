import { expect, it } from "vitest";
import { ACTIONS, can } from "@/domain/access/permission";
import { ROLES } from "@/domain/idempotency/states";
import { ROLE_NOTES } from "./role-words";

const OPERATOR_ACTS = ["operations.resolve", "outbox.requeue", "topics.pause", "plans.start"] as const;

/** How a note names what a role that "reads everything but …" may not read. */
const NAMES: Readonly<Record<string, string>> = {
  "operators.read": "people",
  "access_log.read": "the access log",
  "bodies.reveal": "bodies",
};

it("TRUTH-1 a role that reads everything but some things may read all but exactly these", () => {
  for (const role of ROLES) {
    const [, but] = /^Reads everything but ([^.;]+?)(?:, verifies .*)?[.;]/.exec(ROLE_NOTES[role]) ?? [];
    if (but === undefined) continue;
    const reads = ACTIONS.filter((action) => action.endsWith(".read") || action === "bodies.reveal");
    const not = reads.filter((action) => !can(role, action)).map((action) => NAMES[action] ?? action);
    expect(but.split(/, | and /).sort(), role).toEqual(not.sort());
  }
});

it("TRUTH-1 a role does what its note says of it", () => {
  const may = (role: keyof typeof ROLE_NOTES, ...actions: readonly (typeof ACTIONS)[number][]): void => {
    for (const action of actions) expect(can(role, action), `${role} ${action}`).toBe(true);
  };
  const acts = [...OPERATOR_ACTS, "outbox.discard", "inbox.requeue", "operations.reconcile", "plans.create"] as const;
  for (const role of ROLES) {
    if (ROLE_NOTES[role].startsWith("Reads bodies too")) may(role, "bodies.reveal", "operations.read", "audit.read");
    if (ROLE_NOTES[role].includes("and acts")) may(role, ...acts);
    if (ROLE_NOTES[role].includes("decides on plans")) may(role, "plans.decide");
    if (ROLE_NOTES[role].includes("verifies and exports the audit")) may(role, "audit.verify", "audit.export");
    const everything = ACTIONS.every((action) => can(role, action));
    expect(ROLE_NOTES[role].startsWith("May do everything"), role).toBe(everything);
    expect(ROLE_NOTES[role].includes("says who may what"), role).toBe(can(role, "operators.change_role"));
  }
});

it("TRUTH-1 a role that does not act may do nothing of what an operator does, and one that approves nothing does not decide", () => {
  for (const role of ROLES) {
    if (ROLE_NOTES[role].includes("does not act"))
      for (const action of OPERATOR_ACTS) expect(can(role, action), action).toBe(false);
    if (ROLE_NOTES[role].includes("approves nothing")) expect(can(role, "plans.decide")).toBe(false);
  }
});
