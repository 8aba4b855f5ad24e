import { expect, test } from "vitest";
import { costTable } from "./table";

test("what a million costs is in hours of a processor and in gigabytes", () => {
  const row = { case: "replay", requests: 1_234, hostMicroseconds: 360, databaseMicroseconds: 180 };
  const table = costTable([{ ...row, walBytes: 1_500, storedBytes: 250.4 }]);
  expect(table.split("\n").at(-1)).toBe("| replay | 1,234 | 360 | 180 | 1,500 | 250 | 0.10 | 0.05 | 1.50 | 0.25 |");
});
