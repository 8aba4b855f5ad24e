import { describe, expect, it } from "vitest";
import { errorFingerprint } from "./error-fingerprint";

describe("error fingerprint", () => {
  it("is the same when only ids, numbers and quoted values differ", () => {
    const first = errorFingerprint(
      "payments",
      "delivery.http_500",
      'payment 0198a6f2-7d11-7000-8000-0123456789ab: 500 after 12 ms, "acc 1"',
    );
    const second = errorFingerprint(
      "payments",
      "delivery.http_500",
      'payment 0198a6f2-7d11-7fff-8fff-0123456789ff: 500 after 9 ms, "acc 77"',
    );
    expect(second).toBe(first);
    expect(first).toMatch(/^delivery\.http_500:[0-9a-f]{8}$/);
  });

  it("differs by place, by code and by what is said", () => {
    const all = [
      errorFingerprint("payments", "a.b", "refused"),
      errorFingerprint("accounts", "a.b", "refused"),
      errorFingerprint("payments", "a.c", "refused"),
      errorFingerprint("payments", "a.b", "timed out"),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
