import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyLookUp, classifyResult } from "./classify";
import type { ProviderExchange } from "./exchange";
import type { ProviderRequest } from "./port";
import { readObject } from "./sandbox-adapter";

const REQUEST: ProviderRequest = {
  providerKey: "provider_payment_1",
  amountMinor: 1000n,
  currency: "EUR",
  accountId: "acc_1",
  metadata: {},
};
const OBJECT = {
  id: "ch_1",
  kind: "charge",
  status: "succeeded",
  amount: "1000",
  currency: "EUR",
  providerKey: "provider_payment_1",
  createdAt: "2026-11-19T14:02:09Z",
};
const answered = (status: number, body: unknown = OBJECT): ProviderExchange => ({
  kind: "answered",
  status,
  headers: {},
  body,
});
const broken = (sent: boolean, cause: "timeout" | "connection"): ProviderExchange => ({
  kind: "broken",
  sent,
  cause,
  detail: "x",
});
const reused = (body: unknown): boolean => body === "reused";
const kindOf = (exchange: ProviderExchange): string => classifyResult(exchange, REQUEST, readObject, reused).kind;
const absent = (body: unknown): boolean => body === "absent";

describe("CERTAINTY-1 CERTAINTY-2 an exchange with the provider is definite or indefinite", () => {
  it.each<[string, ProviderExchange, string]>([
    ["connection refused", broken(false, "connection"), "no_effect"],
    ["connect timeout", broken(false, "timeout"), "no_effect"],
    ["429", answered(429), "no_effect"],
    ["400", answered(400), "no_effect"],
    ["409", answered(409), "no_effect"],
    ["409 key reuse", answered(409, "reused"), "contradicting"],
    ["408", answered(408), "indefinite"],
    ["timeout after the send", broken(true, "timeout"), "indefinite"],
    ["reset after the send", broken(true, "connection"), "indefinite"],
    ["500", answered(500), "indefinite"],
    ["503", answered(503), "indefinite"],
    ["redirect", answered(302), "indefinite"],
    ["garbage with 200", { kind: "answered", status: 200, headers: {}, body: undefined }, "indefinite"],
    ["an object without status", answered(201, { ...OBJECT, status: "maybe" }), "indefinite"],
    ["another amount", answered(200, { ...OBJECT, amount: "1001" }), "indefinite"],
    ["another key", answered(200, { ...OBJECT, providerKey: "other" }), "indefinite"],
    ["succeeded", answered(201), "succeeded"],
    ["declined", answered(201, { ...OBJECT, status: "declined", declineCode: "insufficient_funds" }), "declined"],
    ["processing", answered(201, { ...OBJECT, status: "processing" }), "processing"],
  ])("%s", (_name, exchange, kind) => {
    expect(kindOf(exchange)).toBe(kind);
  });

  it("names the sort of refusal and carries Retry-After", () => {
    const limited = classifyResult(
      { kind: "answered", status: 429, headers: {}, body: undefined, retryAfter: 3 },
      REQUEST,
      readObject,
    );
    expect(limited).toMatchObject({ kind: "no_effect", code: "rate_limited", retryAfter: 3 });
    expect(classifyResult(answered(409), REQUEST, readObject)).toMatchObject({ code: "refused" });
    expect(classifyResult(broken(false, "connection"), REQUEST, readObject)).toMatchObject({ code: "unavailable" });
  });

  it("never calls anything definite that was sent and got no readable answer", () => {
    const unreadable = fc.oneof(
      fc.record({ status: fc.integer({ min: 500, max: 599 }), body: fc.jsonValue() }),
      fc.record({ status: fc.integer({ min: 200, max: 299 }), body: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(unreadable, ({ status, body }) => {
        expect(kindOf({ kind: "answered", status, headers: {}, body })).toBe("indefinite");
      }),
    );
  });
});

describe("a look-up", () => {
  const look = (exchange: ProviderExchange): string =>
    classifyLookUp(exchange, REQUEST.providerKey, readObject, absent).kind;
  it("is absent only when the provider says so", () => {
    expect(look(answered(404, "absent"))).toBe("absent");
    expect(look(answered(404, "<html>"))).toBe("unreachable");
    expect(look(answered(503))).toBe("unreachable");
    expect(look(broken(false, "connection"))).toBe("unreachable");
    expect(look(answered(200, { ...OBJECT, providerKey: "other" }))).toBe("unreachable");
    expect(look({ kind: "answered", status: 200, headers: {}, body: undefined })).toBe("unreachable");
  });

  it("tells what the provider has, also when it differs from the command", () => {
    expect(
      classifyLookUp(answered(200, { ...OBJECT, amount: "999" }), REQUEST.providerKey, readObject, absent),
    ).toMatchObject({
      kind: "found",
      status: "succeeded",
      amountMinor: 999n,
    });
  });
});
