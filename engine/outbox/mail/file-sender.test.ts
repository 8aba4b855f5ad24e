import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { prune } from "./file-sender";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onceboard-mail-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("keeps the newest files and touches nothing else", async () => {
  for (let age = 0; age < 5; age += 1) {
    const name = join(folder, `${String(age)}.eml`);
    writeFileSync(name, "");
    utimesSync(name, 1_000_000 - age, 1_000_000 - age);
  }
  writeFileSync(join(folder, "notes.txt"), "");
  await prune(folder, 5);
  expect(readdirSync(folder)).toHaveLength(6);
  await prune(folder, 2);
  expect(readdirSync(folder).sort()).toEqual(["0.eml", "1.eml", "notes.txt"]);
});
