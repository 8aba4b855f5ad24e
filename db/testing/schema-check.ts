import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { INBOX_STATES, OPERATION_STATES, OUTBOX_STATES, STAGES } from "@/domain/idempotency/states";
import { readManifest } from "./manifest";
import { createTestDatabase } from "./test-database";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MANIFEST = join(ROOT, "drizzle/manifest.txt");
const GENERATE_TIMEOUT_MS = 60_000;

/** Which words a column may hold, by the name of its CHECK. A published message moves to outbox_history. */
const WORD_LISTS: Readonly<Record<string, readonly string[]>> = {
  "idempotency_requests.idempotency_requests_state": OPERATION_STATES,
  "idempotency_open.idempotency_open_stage": STAGES,
  "inbox_messages.inbox_messages_state": INBOX_STATES,
  "outbox_messages.outbox_messages_state": OUTBOX_STATES.filter((state) => state !== "published"),
};

/** @returns what drizzle-kit would still generate, or undefined when the migrations say all that db/schema says. */
export function missingMigration(): string | undefined {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const copy = mkdtempSync(join(cache, "onceboard-drift-"));
  try {
    cpSync(join(ROOT, "drizzle"), copy, { recursive: true });
    const before = new Set(readdirSync(copy));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, "node_modules/drizzle-kit/bin.cjs"), "generate", "--dialect", "postgresql"].concat([
        "--schema",
        "./db/schema/index.ts",
        "--out",
        relative(ROOT, copy),
      ]),
      { cwd: ROOT, encoding: "utf8", timeout: GENERATE_TIMEOUT_MS, stdio: ["ignore", "pipe", "pipe"] },
    );
    if (status !== 0) return `drizzle-kit generate did not end well: ${(stderr || stdout).slice(-1_000)}`;
    const made = readdirSync(copy).filter((file) => file.endsWith(".sql") && !before.has(file));
    return made.length === 0 ? undefined : made.map((file) => readFileSync(join(copy, file), "utf8")).join("\n");
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** @returns lines that only one of both manifests has, the committed one's with `-`, the database's with `+`. */
export function manifestDifference(committed: string, found: string): string[] {
  const [left, right] = [new Set(committed.split("\n")), new Set(found.split("\n"))];
  return [
    ...[...left].filter((line) => !right.has(line)).map((line) => `- ${line}`),
    ...[...right].filter((line) => !left.has(line)).map((line) => `+ ${line}`),
  ];
}

/** @returns a sentence for each CHECK whose words are not those of domain/idempotency/states. */
export function differingWords(manifest: string): string[] {
  return Object.entries(WORD_LISTS).flatMap(([name, words]) => {
    const line = manifest.split("\n").find((candidate) => candidate.startsWith(`constraint ${name} CHECK`)) ?? "";
    const found = [...line.matchAll(/'([^']*)'::text/g)].map((match) => match[1]);
    return found.join() === words.join()
      ? []
      : [`${name} allows (${found.join(", ")}), domain/idempotency/states says (${words.join(", ")})`];
  });
}

export async function manifestOfMigrated(): Promise<string> {
  const test = await createTestDatabase();
  try {
    return await readManifest(test.db.pool);
  } finally {
    await test.drop();
  }
}

export function committedManifest(): string {
  return existsSync(MANIFEST) ? readFileSync(MANIFEST, "utf8") : "";
}

export function writeManifest(manifest: string): void {
  writeFileSync(MANIFEST, manifest);
}
