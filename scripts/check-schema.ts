/**
 * The schema in three places must be one schema: db/schema (what the code believes), drizzle/ (what migrations make) and
 * drizzle/manifest.txt (what a migrated database was seen to be, for the eyes of a reviewer).
 *
 *   npx tsx scripts/check-schema.ts             fails and says what differs
 *   npx tsx scripts/check-schema.ts --update    writes drizzle/manifest.txt anew
 *
 * Uses DATABASE_URL_TEST, or a throw-away server; TEST_POSTGRES_BIN names the programs of another version.
 */
import {
  committedManifest,
  differingWords,
  manifestDifference,
  manifestOfMigrated,
  missingMigration,
  writeManifest,
} from "@/db/testing/schema-check";
import { prepareTestServer } from "@/db/testing/test-database";
import { startTestServer } from "@/db/testing/test-server";

const LINES_SHOWN = 40;

async function main(update: boolean): Promise<void> {
  const given = process.env["DATABASE_URL_TEST"] ?? "";
  const server = given === "" ? await startTestServer() : undefined;
  if (server !== undefined) process.env["DATABASE_URL_TEST"] = server.url;
  try {
    await prepareTestServer(server?.url ?? given);
    const manifest = await manifestOfMigrated();
    if (update) writeManifest(manifest);
    const problems: string[] = [];
    const missing = missingMigration();
    if (missing !== undefined) problems.push(`db/schema has changes without a migration:\n${missing}`);
    const difference = manifestDifference(committedManifest(), manifest);
    if (difference.length > 0) {
      problems.push(
        `drizzle/manifest.txt differs (--update writes it anew):\n${difference.slice(0, LINES_SHOWN).join("\n")}`,
      );
    }
    problems.push(...differingWords(manifest));
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
    else process.stdout.write("The schema is the same everywhere.\n");
  } finally {
    await server?.stop();
  }
}

await main(process.argv.includes("--update"));
