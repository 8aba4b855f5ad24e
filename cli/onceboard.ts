#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "./startup/commands";
import { PACKAGE_ROOT } from "./startup/installation";

/** Of a command line that cannot be understood, as other commands have it. */
const MISUSED = 2;

const [name, ...rest] = process.argv.slice(2);
const command = COMMANDS.find((each) => each.name === name);
if (command !== undefined) {
  // A command reads its options where it would find them if it were started by itself.
  process.argv = [...process.argv.slice(0, 2), ...rest];
  await command.load();
} else if (name === undefined || name === "--help" || name === "-h" || name === "help") {
  process.stdout.write(help());
} else if (name === "--version" || name === "-v") {
  process.stdout.write(`${version()}\n`);
} else {
  process.stderr.write(`There is no command ${name}: onceboard --help lists them.\n`);
  process.exitCode = MISUSED;
}

function help(): string {
  const width = Math.max(...COMMANDS.map((each) => each.name.length));
  const lines = COMMANDS.map((each) => `  ${each.name.padEnd(width)}  ${each.says}`);
  return ["onceboard COMMAND [options]", "", ...lines, "", "  --help, --version", ""].join("\n");
}

function version(): string {
  const { version: text } = JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8")) as { version: string };
  return text;
}
