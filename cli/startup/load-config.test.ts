import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadConfig } from "./load-config";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onceboard-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("takes the file of the working directory, or the one that is named", async () => {
  await expect(loadConfig({}, folder)).rejects.toThrow(`There is no onceboard.config.ts in ${folder}`);
  writeFileSync(join(folder, "onceboard.config.mjs"), "export default { modules: [] };");
  writeFileSync(join(folder, "other.mjs"), "export default () => ({ modules: [] });");
  expect(await loadConfig({}, folder)).toEqual({ modules: [] });
  expect(await loadConfig({ ONCEBOARD_CONFIG: "other.mjs" }, folder)).toBeTypeOf("function");
});

it("says in one sentence what is missing", async () => {
  await expect(loadConfig({ ONCEBOARD_CONFIG: "gone.mjs" }, folder)).rejects.toThrow(
    /^ONCEBOARD_CONFIG names .*gone\.mjs/,
  );
  writeFileSync(join(folder, "empty.mjs"), "export const modules = [];");
  await expect(loadConfig({ ONCEBOARD_CONFIG: "empty.mjs" }, folder)).rejects.toThrow("has no default export");
});
