import { expect, it } from "vitest";
import { auditLabel, auditLabels } from "./audit-action";
import { actionLabel, ACTIONS } from "./permission";

it("AUDIT-1 says every action in words of its own", () => {
  const labels = ACTIONS.map(actionLabel);
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  expect(labels.filter((label) => /[._]/.test(label))).toEqual([]);
  expect(ACTIONS.map(auditLabel)).toEqual(labels);
});

it("AUDIT-1 has words for what is no permission, and the name of what is not written any more", () => {
  expect(auditLabel("sessions.sign_in")).toBe("Signing in");
  expect(auditLabel("exports.consumer_inbox")).toBe("Exporting: consumer inbox");
  expect(auditLabel("plans.approve")).toBe("plans.approve");
});

it("AUDIT-1 says the actions of one line as one phrase", () => {
  expect(auditLabels(["plans.create", "outbox.requeue"])).toBe("Making a plan, requeue in the outbox");
});
