/** Prints the tables of docs/CRASH.md. */
import { crashTables } from "@/tests/crash/tables";

for (const [heading, table] of Object.entries(crashTables())) process.stdout.write(`## ${heading}\n\n${table}\n\n`);
