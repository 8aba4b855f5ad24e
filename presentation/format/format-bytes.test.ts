import { expect, it } from "vitest";
import { formatBytes } from "./format-bytes";

it.each([
  ["0", "0 bytes"],
  ["1", "1 byte"],
  ["812", "812 bytes"],
  ["1234", "1.2 KB"],
  ["410000000", "410 MB"],
  ["5400000000000", "5.4 TB"],
  ["9000000000000000", "9000 TB"],
])("says %s bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
