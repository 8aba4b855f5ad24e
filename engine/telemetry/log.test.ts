import { describe, expect, it } from "vitest";
import { AppError } from "@/domain/errors";
import { createLog, type Log } from "./log";
import type { LogFields } from "./log-fields";

function lines(level = "debug"): { readonly log: Log; readonly last: () => Record<string, unknown> } {
  let last = "{}";
  const log = createLog(
    level,
    { process: "test" },
    { secret: "s", destination: { write: (line) => void (last = line) } },
  );
  return { log, last: () => JSON.parse(last) as Record<string, unknown> };
}

describe("LOG-3 the log", () => {
  it("writes known fields under their names in the line, and nothing else", () => {
    const { log, last } = lines();
    const unknown = { key: "k-1", body: { amount: "10.00" }, authorization: "Bearer x", operation: "payments.create" };
    log.info({ ...(unknown as LogFields), requestId: "r-1", fromState: "NONE", attempt: 1, status: undefined }, "told");
    expect(last()).toEqual({
      level: 30,
      time: expect.any(Number) as unknown,
      process: "test",
      operation: "payments.create",
      request_id: "r-1",
      from_state: "NONE",
      attempt: 1,
      msg: "told",
    });
  });

  it("writes the keyed hash of a key, per tenant, and never the key", () => {
    const { log, last } = lines();
    log.info({ idempotencyKey: "order-42", tenantId: "acme" }, "told");
    expect(last()).toMatchObject({ idempotency_key_hash: log.keyHash("acme", "order-42"), tenant: "acme" });
    expect(JSON.stringify(last())).not.toContain("order-42");
  });

  it("cuts long texts and lists, leaves objects out, and takes fields of its parents", () => {
    const { log, last } = lines();
    const nested = { operation: { amount: 1 } } as unknown as LogFields;
    log
      .child({ requestId: "r-1" })
      .warn({ ...nested, outcome: "x".repeat(500), differingFields: Array<string>(90).fill("a") }, "told");
    expect(String(last()["outcome"])).toHaveLength(161);
    expect(last()["differing_fields"]).toHaveLength(20);
    expect(last()).toMatchObject({ level: 40, request_id: "r-1" });
    expect(last()).not.toHaveProperty("operation");
  });

  it("keeps of a database's error its code and our names, and not the row it quotes", () => {
    const { log, last } = lines();
    const error = Object.assign(new Error('invalid input: "acc_1"'), {
      name: "error",
      code: "23505",
      table: "payments",
      constraint: "payments_reference",
      detail: "Key (reference)=(ref-1) already exists.",
      where: "acc_1",
    });
    log.error({ err: new Error("could not be written", { cause: error }) }, "failed");
    expect(last()["err"]).toMatchObject({
      type: "Error",
      message: "could not be written",
      cause: { type: "error", code: "23505", table: "payments", constraint: "payments_reference" },
    });
    expect(JSON.stringify(last())).not.toMatch(/acc_1|ref-1/);
  });

  it.each([
    [new SyntaxError(`Unexpected token 's', "secret-1" is not valid JSON`), undefined],
    [new AppError("validation.x", 422, "It is not usable", { detail: "secret-1 was refused" }), "It is not usable"],
    [
      new Error('the row of "secret-1" at postgres://user:secret-1@db/app or secret-1@example.com is gone'),
      'the row of "…" at … or … is gone',
    ],
    [new Error(`a token ${"secret-1".repeat(8)} is over`), "a token … is over"],
    ["secret-1", undefined],
  ])("keeps only text that is ours: %#", (error, message) => {
    const { log, last } = lines();
    log.error({ err: error }, "failed");
    expect((last()["err"] as { message?: string }).message).toBe(message);
    expect(JSON.stringify(last())).not.toContain("secret-1");
  });

  it("masks what a provider or a library said", () => {
    const { log, last } = lines();
    log.info(
      { finding: `declined: "Jane Doe" at https://x.example/?q=1`, reason: "User jane@x.example not found" },
      "told",
    );
    expect(last()).toMatchObject({ finding: 'declined: "…" at …', reason: "User … not found" });
  });

  it("does no work for a line that is not written", () => {
    const { log, last } = lines("warn");
    const fields = {
      get operation(): string {
        throw new Error("was read");
      },
    };
    log.info(fields, "told");
    expect([last(), log.writes("info"), log.writes("error")]).toEqual([{}, false, true]);
  });
});
