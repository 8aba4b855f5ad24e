import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepReached } from "./package-reach.mjs";

let dist = "";
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), "package-reach-"));
  mkdirSync(join(dist, "a"));
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

const write = (files) => Object.entries(files).forEach(([name, text]) => writeFileSync(join(dist, name), text));

test("what an entry imports stays, now or late; what nobody does goes, with its map; types stay", () => {
  write({
    "entry.js": 'import { b } from "./a/b.js";\nconst c = () => import("./c.js");\nimport pg from "pg";',
    "entry.js.map": "{}",
    "a/b.js": 'import data from "../data.json" with { type: "json" };\nexport * from "../d.js";',
    "c.js": "",
    "d.js": "",
    "data.json": "{}",
    "unused.js": "",
    "unused.js.map": "{}",
    "unused.d.ts": "",
  });
  keepReached(dist, ["entry.js"]);
  const left = readdirSync(dist, { recursive: true }).sort();
  expect(left).toEqual(["a", "a/b.js", "c.js", "d.js", "data.json", "entry.js", "entry.js.map", "unused.d.ts"]);
});

test("an import that leads nowhere is no package", () => {
  write({ "entry.js": 'import "./gone.js";' });
  expect(() => keepReached(dist, ["entry.js"])).toThrow(/gone\.js is imported and was not built/);
});
