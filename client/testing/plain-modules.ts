import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const CLIENT = join(import.meta.dirname, "..");

/** @returns the library as plain ES modules, by file name (`index.js`), as a browser or a Node without tools takes them. */
export function plainModules(): ReadonlyMap<string, string> {
  const sources = readdirSync(CLIENT).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return new Map(
    sources.map((name) => {
      const { outputText } = ts.transpileModule(readFileSync(join(CLIENT, name), "utf8"), {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, verbatimModuleSyntax: true },
      });
      return [name.replace(/\.ts$/, ".js"), outputText.replaceAll(/from "(\.\/[^"]+)"/g, 'from "$1.js"')];
    }),
  );
}

/** Writes them below `directory`. */
export function writePlainModules(directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  for (const [name, text] of plainModules()) writeFileSync(join(directory, name), text);
}

/** @returns all that a module imports, by any chain: names of files, and whatever else as it is written. */
export function importsOf(name: string, modules = plainModules(), seen = new Set<string>()): ReadonlySet<string> {
  for (const { fileName } of ts.preProcessFile(modules.get(name) ?? "").importedFiles) {
    const imported = fileName.replace(/^\.\//, "");
    if (seen.has(imported)) continue;
    seen.add(imported);
    importsOf(imported, modules, seen);
  }
  return seen;
}
