import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureSecrets, keptSecrets, openDataDir } from "./data-dir";

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

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("RUN-8 a directory that is made is for its owner alone, its parents too", () => {
  const directory = openDataDir(join(root, "a", "b"));
  expect([modeOf(join(root, "a")), modeOf(directory)]).toEqual([0o700, 0o700]);
});

test.each([0o755, 0o777, 0o750, 0o705, 0o711])("RUN-8 one that is there with mode %o is closed", (mode) => {
  const directory = join(root, "there");
  mkdirSync(directory);
  chmodSync(directory, mode);
  expect(modeOf(openDataDir(directory))).toBe(0o700);
});

test("RUN-8 what the system user of PostgreSQL passes through stays so, and only for root", () => {
  const directory = join(root, "there");
  mkdirSync(directory);
  chmodSync(directory, 0o710);
  expect(modeOf(openDataDir(directory))).toBe(process.getuid?.() === 0 ? 0o710 : 0o700);
});

test("RUN-8 secrets close the directory that they are in, also one from before", () => {
  ensureSecrets(root);
  chmodSync(root, 0o755);
  expect(keptSecrets(root)).toBeDefined();
  expect(modeOf(root)).toBe(0o700);
});

test.runIf(process.getuid?.() === 0)("RUN-8 none is put into, or taken from, one of somebody else that is open", () => {
  ensureSecrets(root);
  chownSync(root, 65_534, 65_534);
  chmodSync(root, 0o755);
  for (const open of [ensureSecrets, keptSecrets])
    expect(() => open(root)).toThrow(/holds secrets and is open to other users: .* \(chmod 700\)\.$/);
  chmodSync(root, 0o700);
  expect(keptSecrets(root)).toBeDefined();
});
