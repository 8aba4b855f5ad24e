import { expect, it } from "vitest";
import { cutName, fitLabel } from "./cut-middle";

it("fits a label to its column and keeps both of its ends", () => {
  expect(fitLabel("payments", 20)).toBe("payments");
  const long = fitLabel(`shop-${"x".repeat(190)}-eu-1`, 20);
  expect(long).toHaveLength(20);
  expect(long).toMatch(/^shop-x+…x-eu-1$/);
});

it("cuts a long name in a sentence, and no other", () => {
  expect(cutName("webhook to shop.example/hooks")).toBe("webhook to shop.example/hooks");
  expect(cutName(`shop-${"x".repeat(190)}-eu-1`)).toMatch(/^shop-x+…x+-eu-1$/);
});
