import { expect, it } from "vitest";
import { csvLine } from "../list/csv";
import { fileCells, fileColumns } from "./source-file";

const names = ["id", "state", "type", "sent_at", "created_at", "last_error"];
const columns = [
  { name: "type", kind: "stored" as const },
  { name: "sent_at", kind: "not_stored" as const, says: "It is not written." },
  { name: "created_at", kind: "derived" as const, says: "A rule." },
];
const row = {
  ...{ id: "out:1", place: "p", state: "dead" },
  values: {
    type: { kind: "text" as const, text: "=cmd|x", cut: false },
    created_at: { kind: "time" as const, at: "2026-11-22T12:00:00Z" },
    last_error: { kind: "text" as const, text: "long", cut: true },
  },
};

it("a column that is not stored says so in its name and in each row, and is never empty", () => {
  expect(fileColumns(names, columns)).toEqual([
    ...["id", "state", "type", "sent_at (not stored: It is not written.)", "created_at", "last_error"],
  ]);
  expect(fileCells(names, row, columns)).toEqual([
    ...["out:1", "dead", "=cmd|x", "not stored", "2026-11-22T12:00:00Z", "long…"],
  ]);
  // A row that has no value in a column that is stored is empty there.
  expect(fileCells(["type"], { ...row, values: {} }, columns)).toEqual([undefined]);
});

it("what a spreadsheet would run is text", () => {
  expect(csvLine(fileCells(["type"], row, columns).map((cell) => cell ?? ""))).toBe("'=cmd|x\r\n");
});
