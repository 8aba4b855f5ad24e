import { describe, expect, it } from "vitest";
import type { OperationDetailRow } from "@/db/operations/select-operation";
import type { OperationEventRow } from "@/db/operations/select-operation-events";
import { leaseRows } from "./operation-history";

const ARRIVED = "2026-11-24T01:08:49.291Z";
const COMPLETED = "2026-11-24T01:08:49.572Z";

function event(id: string, type: string, at: string): OperationEventRow {
  return { id, type, at, fence: 1, client: "till-web" };
}

function row(values: Partial<OperationDetailRow>): OperationDetailRow {
  return values as OperationDetailRow;
}

describe("the owners of an operation", () => {
  // The clock of the process may be ahead of the database's: the event of the answer then follows that of the claim.
  it("ends with the operation, not with the arrival that its answer's event bears", () => {
    const events = [event("a", "claimed", ARRIVED), event("b", "executed", ARRIVED)];
    expect(leaseRows(row({ completedAt: COMPLETED }), events)).toMatchObject([
      { from: ARRIVED, to: COMPLETED, ended: "completed" },
    ]);
  });
  it("ends with the event of a release", () => {
    const released = "2026-11-24T01:08:50.000Z";
    const events = [event("a", "claimed", ARRIVED), event("b", "unknown", released)];
    expect(leaseRows(row({ completedAt: COMPLETED }), events)).toMatchObject([
      { to: released, ended: "released as unknown" },
    ]);
  });
});
