import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseJson } from "../body/parse-json";
import { validateCommand } from "../body/validate";
import { shapeOf } from "./shape";

const BODY = {
  schema: z.strictObject({ price: z.union([z.string(), z.int()]), mood: z.string().default("calm") }),
  amounts: ["price"],
  defaulted: ["mood"],
};
const POLICY = { unknownFields: "reject" } as const;

describe("what a route declares of its body", () => {
  it("says how a command was written", () => {
    expect(shapeOf(parseJson('{"price":1000}'), BODY)).toEqual({
      memberOrder: ["price"],
      notation: { price: "minor units" },
      defaulted: ["mood"],
    });
    expect(shapeOf(parseJson('{"mood":"calm","price":"10.00"}'), BODY)).toEqual({
      memberOrder: ["mood", "price"],
      notation: { price: "decimal string" },
      defaulted: [],
    });
    expect(shapeOf(parseJson('{"amount":1000}'), {})).toEqual({ memberOrder: ["amount"], notation: {}, defaulted: [] });
  });

  it("refuses a fraction for an amount, and for no other member", () => {
    expect(() => validateCommand(BODY, parseJson('{"price":10.00}'), POLICY)).toThrow(
      expect.objectContaining({ code: "validation.amount" }),
    );
    const plain = { schema: z.strictObject({ amount: z.number() }) };
    expect(validateCommand(plain, parseJson('{"amount":10.00}'), POLICY)).toEqual({ amount: 10 });
  });
});
