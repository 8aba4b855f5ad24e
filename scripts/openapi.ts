/**
 * docs/openapi.json, the document that the server serves, made of the routes' declarations and the types of their answers.
 *
 *   npx tsx scripts/openapi.ts             writes it
 *   npx tsx scripts/openapi.ts --check     fails when the committed one differs
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseConfig } from "@/domain/config";
import { createHttpApp } from "@/http/app";
import { createContainer } from "@/http/container";
import { answerTypes } from "@/http/docs/answer-types";
import { openApiDocument } from "@/http/docs/document";

const ROOT = join(import.meta.dirname, "..");
const FILE = join(ROOT, "docs/openapi.json");
const UNUSED_SECRET = "0".repeat(43);

async function main(check: boolean): Promise<void> {
  // Of the defaults; nothing connects, the app is asked for its routes only.
  const config = parseConfig({
    DATABASE_URL: "postgres://localhost/none",
    SECRET: UNUSED_SECRET,
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
    LOG_LEVEL: "silent",
  });
  const deps = await createContainer(config, "openapi");
  const { publicUrl, idempotencyTtlHours: ttlHours } = config;
  const answers = answerTypes(ROOT, join(ROOT, "http/admin"));
  const document = openApiDocument({ app: createHttpApp(deps), answers, publicUrl, ttlHours });
  await deps.close();
  const text = `${JSON.stringify(document, undefined, 1)}\n`;
  if (!check) writeFileSync(FILE, text);
  else if (readFileSync(FILE, "utf8") !== text) {
    process.stderr.write("docs/openapi.json is not what the routes declare. Run npm run openapi and commit it.\n");
    process.exitCode = 1;
  }
}

await main(process.argv.includes("--check"));
