/** Fails when two files export a type, function or constant of one name: a name means one thing. */
import { readFileSync } from "node:fs";
import { doubleNames, exportedNames } from "./lib/names.mjs";
import { isTypeScript, sourceFiles } from "./lib/source-files.mjs";

const files = sourceFiles(".", isTypeScript).filter((path) => !path.endsWith(".d.ts"));
const doubles = doubleNames(files.map((path) => ({ path, names: exportedNames(path, readFileSync(path, "utf8")) })));
for (const { name, paths } of doubles) process.stderr.write(`${name} is exported by ${paths.join(" and ")}\n`);
if (doubles.length > 0) process.exit(1);
process.stdout.write(`${String(files.length)} files, no exported name has two meanings\n`);
