import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";

/** What a newcomer finds in the installed package: types for every import, maps of the code, a licence, and nothing of our tools. */

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** One use of each import, which fails to compile where its types are missing. */
const USES: Readonly<Record<string, string>> = {
  ".": 'import { defineConfig, z } from "onceboard";\nexport const a = defineConfig({ modules: [] });\nexport const b: string = z.string().parse("x");',
  "./client":
    'import { createClient, type OnceboardClient } from "onceboard/client";\nexport const c: OnceboardClient = createClient({ baseUrl: "http://localhost", apiKey: "k" });\n// @ts-expect-error a client has a baseUrl\ncreateClient({});',
  "./client/file-store":
    'import { createFileStore } from "onceboard/client/file-store";\nexport const d = createFileStore("./pending");',
  "./once":
    'import { createOnceboard } from "onceboard/once";\nimport pg from "pg";\nexport const once = createOnceboard({ pool: new pg.Pool(), service: "shop", secret: "s", encryptionKeys: "k" });\nexport const result = once.once({ tenant: "t", operation: "o.p", key: "k", command: {}, principal: "p" }, async (tx) => {\n  await tx.query("select 1");\n  return { status: 201 };\n});\n// @ts-expect-error a status is a number\nvoid once.once({ tenant: "t", operation: "o.p", key: "k", command: {}, principal: "p" }, async () => ({ status: "201" }));',
  "./hono": 'import { idempotent } from "onceboard/hono";\nexport const e = idempotent;',
  "./express": 'import { idempotent } from "onceboard/express";\nexport const f = idempotent;',
  "./fastify": 'import { idempotent } from "onceboard/fastify";\nexport const g = idempotent;',
  "./next": 'import { idempotent } from "onceboard/next";\nexport const h = idempotent;',
  "./testing":
    'import { startOnceboardTests, type OnceboardTestServer } from "onceboard/testing";\nexport const i: Promise<OnceboardTestServer> = startOnceboardTests();',
};
const RESOLUTIONS = [
  { name: "node16", module: "node16", moduleResolution: "node16" },
  { name: "nodenext", module: "nodenext", moduleResolution: "nodenext" },
  { name: "bundler", module: "esnext", moduleResolution: "bundler" },
] as const;

let root: string;
let manifest: Manifest;
beforeAll(() => {
  root = join(inject("installed"), "node_modules/onceboard");
  manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
});

const built = (): string[] =>
  readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.next(-base)?(\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));

describe("the packed package, as a newcomer finds it", () => {
  it.each(RESOLUTIONS)("has types for each import under moduleResolution $name", ({ module, moduleResolution }) => {
    expect(Object.keys(manifest.exports).filter((path) => path !== "./package.json")).toEqual(Object.keys(USES));
    const folder = mkdtempSync(join(inject("installed"), "types-"));
    for (const [index, text] of Object.values(USES).entries())
      writeFileSync(join(folder, `use${String(index)}.ts`), text);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    // Our own declarations are checked once; how they are found is what differs.
    const skipLibCheck = moduleResolution !== "nodenext";
    const compilerOptions = {
      module,
      moduleResolution,
      skipLibCheck,
      target: "es2022",
      strict: true,
      noEmit: true,
      types: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
    const { signal, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    // drizzle-orm's own types name databases that are not installed; everybody's tsconfig skips them.
    const errors = stdout.split("\n").filter((line) => /error TS/.test(line) && !line.includes("drizzle-orm/"));
    expect([signal, errors]).toEqual([null, []]);
  });

  it("has a map beside each of its files, with the source in it", () => {
    const code = built().filter((path) => path.endsWith(".js"));
    expect(code.length).toBeGreaterThan(100);
    for (const path of code) {
      const map = JSON.parse(readFileSync(`${path}.map`, "utf8")) as Record<string, unknown>;
      expect([path, map["version"], map["file"]]).toEqual([path, 3, path.slice(dirname(path).length + 1)]);
      expect(map["sourcesContent"]).toHaveLength((map["sources"] as string[]).length);
      expect(map["mappings"]).not.toBe("");
    }
  });

  it("has documents whose links lead somewhere in it", () => {
    const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];
    expect(documents).toContain("docs/ADOPT.md");
    for (const document of documents) {
      const links = readFileSync(join(root, document), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
      for (const [, target = ""] of links)
        expect([document, target, existsSync(join(root, dirname(document), target))]).toEqual([document, target, true]);
    }
  });

  it("has its licence and a README of its own, and depends on none of our tools", () => {
    expect(readFileSync(join(root, "LICENSE"), "utf8")).toContain("Apache License");
    expect(readFileSync(join(root, "README.md"), "utf8")).toMatch(/^# The npm package\n/);
    const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      devDependencies: Record<string, string>;
    };
    expect(Object.keys(manifest.dependencies).filter((name) => name in devDependencies)).toEqual(["@types/pg"]);
    for (const entry of Object.values(manifest.exports))
      for (const path of typeof entry === "string" ? [entry] : Object.values(entry))
        expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    expect(statSync(inject("packed").tarball).size).toBeLessThan(15_000_000);
  });
});
