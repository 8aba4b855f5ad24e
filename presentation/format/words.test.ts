import { expect, it } from "vitest";
import { environmentName } from "./words";

it("says Production where real money moves, and nowhere else", () => {
  expect(environmentName({ movesRealMoney: true })).toBe("Production");
  expect(environmentName({ movesRealMoney: false })).toBe("Sandbox");
});
