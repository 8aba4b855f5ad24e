import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tseslint from "typescript-eslint";
import { expect, test } from "vitest";

const { rules } = JSON.parse(readFileSync(".oxlintrc.json", "utf8"));
const of = (configs) => Object.assign({}, ...[configs].flat().map((config) => config.rules ?? {}));
/** What the repository turns off: `query<Row>(…)` names the shape of its answer, and a structural URL is no forged one. */
const NOT_WANTED = ["no-unnecessary-type-parameters", "no-unsafe-class-instance-assignment"];

/** The strict rules that need types: a new version of the package may bring more. */
const wanted = Object.keys(of(tseslint.configs.strictTypeChecked))
  .filter((name) => name in of(tseslint.configs.disableTypeChecked))
  .map((name) => name.replace("@typescript-eslint/", ""))
  .filter((name) => !NOT_WANTED.includes(name));

test.each(wanted)("%s is checked with types", (name) => {
  const setting = rules[`typescript/${name}`];
  expect([setting].flat()[0]).toBe("error");
});

test("a promise that nobody waits for is found", { timeout: 120_000 }, () => {
  // Outside the repository: other checks walk its files at the same time.
  const folder = mkdtempSync(join(tmpdir(), "onceboard-lint-"));
  try {
    const file = join(folder, "floating.ts");
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { strict: true, lib: ["es2022"] } }),
    );
    writeFileSync(file, "export function start(): void {\n  Promise.resolve(1);\n}\n");
    const { status, stdout } = spawnSync("node_modules/.bin/oxlint", ["-c", ".oxlintrc.json", "--type-aware", file], {
      encoding: "utf8",
    });
    expect(stdout).toContain("typescript(no-floating-promises)");
    expect(status).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a literal that spreads another is found where every keyed request passes", { timeout: 120_000 }, () => {
  const check = (file) =>
    spawnSync("node_modules/.bin/eslint", ["--stdin", "--stdin-filename", file], {
      input: "export const withKey = (about: object, key: string): object => ({ ...about, key });\n",
      encoding: "utf8",
    });
  const found = check("engine/execute/claim-input.ts");
  expect(found.stdout).toContain("write the members out");
  expect(found.status).toBe(1);
  expect(check("engine/kinds.ts").status).toBe(0);
});
