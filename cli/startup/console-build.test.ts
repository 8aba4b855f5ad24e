import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { consoleDirectory, copyFor } from "./console-build";
import { ROOT } from "./installation";

const STAND_IN = "/stands-for-any";

let root: string;
let template: string;
let dataDir: string;
/** Of a package `onceboard` in somebody's project. */
let installed: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "console-build-"));
  [template, dataDir] = [join(root, "template"), join(root, "data")];
  installed = join(root, "project/node_modules/onceboard/dist");
  put(join(template, "routes-manifest.json"), JSON.stringify({ basePath: STAND_IN }));
  put(join(template, "BUILD_ID"), "build-1");
  put(join(template, "static/a.js"), `let p="${STAND_IN}";load("${STAND_IN}/_next/x.js")`);
  put(join(template, "static/b.css"), "b{}");
  put(join(template, "server/where.js"), `module.exports=[require("near"),require("far")]`);
  put(join(installed, "cli.js"), "");
  put(join(installed, "../node_modules/near/index.js"), `module.exports="near"`);
  put(join(installed, "../../near/index.js"), `module.exports="another near"`);
  put(join(installed, "../../far/index.js"), `module.exports="far"`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

const copy = (basePath = "/ops") => copyFor(basePath, { template, dataDir, root: installed });
const copies = () => readdirSync(join(dataDir, "console"));

describe("the console for a base path", () => {
  test("is the template with the path, and the template stays as it is", () => {
    const made = copy("/ops/onceboard");
    expect(readFileSync(join(made, ".next/static/a.js"), "utf8")).toBe(
      'let p="/ops/onceboard";load("/ops/onceboard/_next/x.js")',
    );
    expect(readFileSync(join(made, ".next/static/b.css"), "utf8")).toBe("b{}");
    expect(readFileSync(join(made, "next.config.mjs"), "utf8")).toContain(pathToFileURL(installed).href);
    expect(readFileSync(join(template, "static/a.js"), "utf8")).toContain(STAND_IN);
  });

  test("is made once for a version and a path", () => {
    const made = copy();
    writeFileSync(join(made, ".next/static/b.css"), "kept{}");
    expect(copy()).toBe(made);
    expect(readFileSync(join(made, ".next/static/b.css"), "utf8")).toBe("kept{}");
    expect(copy("/other")).not.toBe(made);
    put(join(template, "BUILD_ID"), "build-2");
    expect(copy()).not.toBe(made);
    expect(copies()).toHaveLength(3);
  });

  test("finds the packages that the package itself would find, the nearest first", () => {
    const load = createRequire(import.meta.url);
    expect(load(join(copy(), ".next/server/where.js"))).toEqual(["near", "far"]);
  });

  test("is kept four times at the most: what was used longest ago goes", () => {
    const seen = new Set<string>();
    for (const [index, path] of ["/a", "/b", "/c", "/d"].entries()) {
      copy(path);
      const [newest = ""] = copies().filter((name) => !seen.has(name));
      seen.add(newest);
      utimesSync(join(dataDir, "console", newest), index + 1, index + 1);
    }
    const first = copy("/a");
    copy("/e");
    expect(copies()).toHaveLength(4);
    expect(existsSync(first)).toBe(true);
    expect(copies()).not.toContain([...seen][1]);
  });

  test("says in a sentence where it cannot be written", () => {
    writeFileSync(join(root, "file"), "");
    expect(() => copyFor("/ops", { template, dataDir: join(root, "file/below"), root: installed })).toThrow(
      /^The data directory \S+ cannot be written \(\w+\): set DATA_DIR to one that can\.$/,
    );
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "console"), "");
    expect(() => copy()).toThrow(/^The console for BASE_PATH could not be written to \S+ \(\w+\)\.$/);
  });
});

describe("the build of the repository", () => {
  const own = (basePath: string) => consoleDirectory({ basePath, dataDir });
  const builtFor = (basePath: string) => {
    put(join(template, "routes-manifest.json"), JSON.stringify({ basePath }));
    vi.stubEnv("NEXT_DIST_DIR", relative(ROOT, template));
  };

  test("is taken where it was made for this path", () => {
    builtFor("/ops");
    expect(own("/ops")).toBe(ROOT);
    builtFor("");
    expect(own("")).toBe(ROOT);
  });

  test("is refused for another path, in a sentence that says what to run", () => {
    builtFor("");
    expect(() => own("/ops")).toThrow(
      "The console is built for the root of a host and BASE_PATH names /ops: run npm run build with this BASE_PATH.",
    );
    builtFor("/ops");
    expect(() => own("")).toThrow(
      "The console is built for /ops and BASE_PATH names the root of a host: run npm run build with this BASE_PATH.",
    );
  });
});
