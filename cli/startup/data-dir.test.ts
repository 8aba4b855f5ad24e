import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureSecrets, openDataDir } from "./data-dir";

let root = "";
beforeEach(() => (root = mkdtempSync(join(tmpdir(), "data-dir-"))));
afterEach(() => {
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true, force: true });
});

test("a data directory is made, with its parents", () => {
  const directory = openDataDir(join(root, "a", "b"));
  expect(statSync(directory).isDirectory()).toBe(true);
});

test.each(["file", "file/below", "/proc/nothing-can-be-made-here"])("%s is refused in one sentence", (path) => {
  writeFileSync(join(root, "file"), "");
  const directory = path.startsWith("/") ? path : join(root, path);
  expect(() => openDataDir(directory)).toThrow(/^The data directory .* cannot be written \([A-Z]+\): set DATA_DIR/);
});

test("secrets are made once, for the owner's eyes only", () => {
  const first = ensureSecrets(root);
  expect(ensureSecrets(root)).toEqual(first);
  expect(statSync(join(root, "secrets.json")).mode & 0o777).toBe(0o600);
  expect(first.encryptionKeys).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
});

test("damaged secrets are never replaced in silence", () => {
  writeFileSync(join(root, "secrets.json"), "{");
  expect(() => ensureSecrets(root)).toThrow("secrets.json is damaged");
  expect(readFileSync(join(root, "secrets.json"), "utf8")).toBe("{");
});
