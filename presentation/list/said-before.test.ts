import { expect, it } from "vitest";
import { saidBefore } from "./said-before";

it("finds the rows that only repeat an earlier one", () => {
  const rows = [{ text: "a" }, { text: "b" }, { text: "a" }, { text: undefined }, { text: undefined }];
  expect([...saidBefore(rows, ({ text }) => text)]).toEqual([rows[2]]);
});
