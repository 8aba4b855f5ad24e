import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlain } from "@/domain/plain-text";
import { cleanReply, PROVIDER_LIMITS } from "./clean-reply";
import type { ProviderReply } from "./operation";

const BAD = "x".repeat(5_000);
const ODD = "line\r\none \u202egnp.exe\u0000\u001b[31m";

describe("PROVIDER-11 what a provider says is bounded and clean before it is kept", () => {
  it.each<readonly [ProviderReply, ProviderReply]>([
    [
      { kind: "succeeded", reference: "ch_1" },
      { kind: "succeeded", reference: "ch_1" },
    ],
    [
      { kind: "declined", reference: "ch_1", code: "card declined\u0000;<b>" },
      { kind: "declined", reference: "ch_1", code: "card_declined_b" },
    ],
    [
      { kind: "declined", reference: BAD, code: "\u202e" },
      { kind: "declined", reference: undefined, code: "declined" },
    ],
    [
      { kind: "indefinite", reason: ODD },
      { kind: "indefinite", reason: "line one gnp.exe [31m" },
    ],
    [
      { kind: "contradicting", reference: "a\u0000", reason: ODD },
      { kind: "contradicting", reference: undefined, reason: "line one gnp.exe [31m" },
    ],
    [{ kind: "absent" }, { kind: "absent" }],
  ])("%j is kept as %j", (reply, kept) => {
    expect(cleanReply(reply)).toEqual(kept);
  });

  it.each(["", "ch_\u0000", "ch\n1", "ch_\u202e1", BAD])(
    "a success under a reference like %j is in doubt, not shortened",
    (reference) => {
      for (const kind of ["succeeded", "processing"] as const)
        expect(cleanReply({ kind, reference })).toEqual({
          kind: "indefinite",
          reason: "the answer is not readable: its reference cannot be kept",
        });
    },
  );

  it("keeps no more than so many seen characters, whatever comes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 700 }), (text) => {
        const declined = cleanReply({ kind: "declined", reference: text, code: text });
        const broken = cleanReply({ kind: "no_effect", code: "refused", reason: text, detail: text });
        if (declined.kind !== "declined" || broken.kind !== "no_effect") throw new Error("another kind");
        expect(declined.code).toMatch(/^[A-Za-z0-9._:-]{1,64}$/);
        expect(isPlain(declined.reference ?? "")).toBe(true);
        for (const said of [broken.reason, broken.detail ?? ""]) {
          expect(isPlain(said)).toBe(true);
          expect(said.length).toBeLessThanOrEqual(PROVIDER_LIMITS.text);
        }
      }),
    );
  });
});
