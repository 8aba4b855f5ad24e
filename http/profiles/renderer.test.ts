import { describe, expect, it } from "vitest";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { WIRE_PROFILES } from "@/domain/access/permission";
import { errorProfileOf } from "./profiles";

const META = { requestId: "r-1", traceId: undefined, keyEcho: "k-1", minimal: false };
const at = new Date("2026-01-01T00:00:00Z");
const operation = { operationId: "o-1", state: "COMPLETED", createdAt: at, completedAt: at, expiresAt: at } as const;

function storedAnswer(status: number, outcome: "executed" | "replayed", body = ""): ExecuteAnswer {
  const response = { status, headers: { location: "/orders/1" }, body: Buffer.from(body) };
  return { outcome, operation, response, schemaVersion: "1", by: "stored" };
}

describe.each([...WIRE_PROFILES])("a stored answer in the profile %s", (profile) => {
  it.each([
    [204, "executed", "stored"],
    [204, "replayed", "replayed"],
    [205, "replayed", "replayed"],
  ] as const)("of status %i without a body is %s without one", (status, outcome, told) => {
    const response = errorProfileOf(profile).answer(storedAnswer(status, outcome), { mismatchStatus: 409 }, META);
    expect([response.status, response.body]).toEqual([status, null]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "idempotency-status": told,
      "operation-id": "o-1",
      location: "/orders/1",
    });
  });

  it("of status 200 without a body keeps its status", async () => {
    const response = errorProfileOf(profile).answer(storedAnswer(200, "replayed"), { mismatchStatus: 409 }, META);
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});
