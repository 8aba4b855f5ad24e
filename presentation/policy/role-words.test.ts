import { expect, it } from "vitest";
import { ACTIONS, can } from "@/domain/access/permission";
import { ROLES } from "@/domain/idempotency/states";
import { ROLE_NOTES } from "./role-words";

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

it("TRUTH-1 a role that does not act may do nothing of what an operator does, and one that approves nothing does not decide", () => {
  const acts = ["operations.resolve", "outbox.requeue", "topics.pause", "plans.start"] as const;
  for (const role of ROLES) {
    if (ROLE_NOTES[role].includes("does not act"))
      for (const action of acts) expect(can(role, action), action).toBe(false);
    if (ROLE_NOTES[role].includes("approves nothing")) expect(can(role, "plans.decide")).toBe(false);
  }
});
