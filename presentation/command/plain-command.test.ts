import { describe, expect, it } from "vitest";
import { canonicalCommand } from "@/domain/idempotency/canonical";
import { parsePlainCommand } from "./plain-command";

const parse = (text: string) => parsePlainCommand(text, "invoices.issue");

describe("a command that a service stored in the open", () => {
  it("is read in our form, and any JSON object is its fields", () => {
    const ours = { operation: "invoices.issue", apiVersion: "2", fields: { amount: "1999", note: null } };
    expect(parse(canonicalCommand(ours))).toEqual(ours);
    expect(parse('{"amount":1999,"b":{"z":1,"a":true},"list":[1,"x"],"none":null,"who":"c1"}')).toEqual({
      operation: "invoices.issue",
      apiVersion: "",
      fields: { amount: "1999", b: '{"a":true,"z":1}', list: '[1,"x"]', none: null, who: "c1" },
    });
  });

  it("takes a member named __proto__ for a field, and nothing but an object for a command", () => {
    expect(Object.entries(parse('{"__proto__":"x"}').fields)).toEqual([["__proto__", "x"]]);
    for (const text of ["[1]", "7", "null", '"text"', "amount=1"]) expect(() => parse(text)).toThrow(SyntaxError);
  });
});
