import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalCommand } from "@/domain/idempotency/canonical";
import { AppError } from "@/domain/errors";
import { formatAmount } from "@/domain/money";
import { createPaymentBody } from "@/tests/support/providers";
import { decodeUtf8, parseJson } from "./parse-json";
import { validateCommand } from "./validate";

const RUNS = 10_000;

/** The way of a payment's body to the text that is fingerprinted. */
function formOf(text: string): string {
  const command = validateCommand(createPaymentBody, parseJson(text), { unknownFields: "reject" });
  return canonicalCommand({
    operation: "payments.create",
    apiVersion: "1",
    fields: {
      accountId: command.accountId,
      amount: formatAmount(command.amountMinor, command.currency),
      currency: command.currency,
      merchantReference: command.merchantReference ?? null,
      channel: command.channel,
    },
  });
}

const idText = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 20,
});
const body = fc.record({
  accountId: idText,
  minor: fc.integer({ min: 1, max: 9_999_999 }),
  currency: fc.constantFrom("EUR", "USD", "JPY", "BHD"),
  merchantReference: fc.option(idText, { nil: undefined }),
  channel: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => !/\0/.test(text)),
});
type Body = typeof body extends fc.Arbitrary<infer T> ? T : never;

/** One command in a form chosen by chance: member order, white space, escapes, notation of the amount, a default left out. */
function written(each: Body, chance: readonly number[]): string {
  const at = (index: number) => chance[index % chance.length] ?? 0;
  const amount = at(0) % 2 === 0 ? each.minor : formatAmount(BigInt(each.minor), each.currency);
  const members: [string, unknown][] = [
    ["accountId", each.accountId],
    ["amount", amount],
    ["currency", each.currency],
    ...(each.merchantReference === undefined
      ? []
      : [["merchantReference", each.merchantReference] as [string, unknown]]),
    ...(each.channel === "web" && at(1) % 2 === 0 ? [] : [["channel", each.channel] as [string, unknown]]),
  ];
  members.sort((one, two) => at(one[0].length) - at(two[0].length + 3));
  const space = [" ", "", "\n", "\t"][at(2) % 4] ?? "";
  return `{${members.map(([name, value]) => `${space}"${name}":${space}${escaped(value, at(4))}`).join(`${space},`)}${space}}`;
}

/** Every UTF-16 unit as an escape, so that two halves of a pair come as two. */
function escaped(value: unknown, chance: number): string {
  if (typeof value !== "string" || chance % 2 === 0) return JSON.stringify(value);
  return `"${value.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}

describe("a body's way to its fingerprint (COMMAND-1)", () => {
  const chance = fc.array(fc.nat(100), { minLength: 7, maxLength: 7 });

  it(`${String(RUNS)} pairs that differ in form only are equal`, () => {
    fc.assert(
      fc.property(body, chance, chance, (each, one, two) => {
        expect(formOf(written(each, one))).toBe(formOf(written(each, two)));
      }),
      { numRuns: RUNS },
    );
  });

  it(`${String(RUNS)} pairs that differ in one value are not`, () => {
    fc.assert(
      fc.property(
        body,
        body,
        fc.constantFrom("accountId", "minor", "currency", "merchantReference", "channel"),
        chance,
        (one, two, name, form) => {
          fc.pre(one[name] !== two[name]);
          // Other digits of a currency would be another amount in the same text: both fields differ then, which is fine.
          const other = { ...one, [name]: two[name] };
          expect(formOf(written(other, form))).not.toBe(formOf(written(one, form)));
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("never throws anything but a refusal with a stable code, whatever arrives", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 64 })), (input) => {
        try {
          formOf(typeof input === "string" ? input : decodeUtf8(input));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toMatch(/^validation\./);
          expect([400, 422]).toContain(error.status);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ["a member twice", '{"accountId":"a","accountId":"b","amount":1,"currency":"EUR"}', "validation.json"],
    ["__proto__", '{"__proto__":{"amount":1},"accountId":"a","amount":1,"currency":"EUR"}', "validation.json"],
    ["ten thousand levels", `${"[".repeat(10_000)}${"]".repeat(10_000)}`, "validation.json"],
    ["NUL", '{"accountId":"a","amount":1,"currency":"EUR","channel":"a\\u0000b"}', "validation.json"],
    ["half a surrogate pair", '{"accountId":"a","amount":1,"currency":"EUR","channel":"\\ud800"}', "validation.json"],
    ["a fraction as a number", '{"accountId":"a","amount":10.5,"currency":"EUR"}', "validation.amount"],
    ["an exponent", '{"accountId":"a","amount":1e3,"currency":"EUR"}', "validation.amount"],
    ["1e309", '{"accountId":"a","amount":1e309,"currency":"EUR"}', "validation.amount"],
    ["more digits than the currency has", '{"accountId":"a","amount":"1.001","currency":"EUR"}', "validation.amount"],
    ["another script's digits", '{"accountId":"a","amount":"１０.00","currency":"EUR"}', "validation.amount"],
  ])("refuses %s with its code", (_what, text, code) => {
    expect(() => formOf(text)).toThrow(expect.objectContaining({ code }) as Error);
  });
});
