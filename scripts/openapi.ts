/**
 * docs/openapi.json, the document of this repository's own configuration, made of the routes' declarations and the types of
 * their answers; and http/docs/admin-answers.json, those types, of which a server makes the document of what it runs.
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
import source from "@/onceboard.config";

const ROOT = join(import.meta.dirname, "..");
const FILE = "docs/openapi.json";
const ANSWERS = "http/docs/admin-answers.json";
const UNUSED_SECRET = "0".repeat(43);

async function main(check: boolean): Promise<void> {
  // Of the defaults; nothing connects, the app is asked for its routes only.
  const config = parseConfig({
    DATABASE_URL: "postgres://localhost/none",
    SECRET: UNUSED_SECRET,
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
    LOG_LEVEL: "silent",
  });
  const deps = await createContainer(config, "openapi", source);
  const { publicUrl, idempotencyTtlHours: ttlHours } = config;
  const answers = answerTypes(ROOT, join(ROOT, "http/admin"));
  const document = openApiDocument({
    app: createHttpApp(deps),
    moduleErrors: deps.modules.errors,
    answers,
    publicUrl,
    ttlHours,
  });
  await deps.close();
  keep(FILE, document, check);
  keep(ANSWERS, { bodies: Object.fromEntries(answers.bodies), named: Object.fromEntries(answers.named) }, check);
}

function keep(name: string, content: unknown, check: boolean): void {
  const file = join(ROOT, name);
  const text = `${JSON.stringify(content, undefined, 1)}\n`;
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    process.stderr.write(`${name} is not what the routes declare. Run npm run openapi and commit it.\n`);
    process.exitCode = 1;
  }
}

await main(process.argv.includes("--check"));
