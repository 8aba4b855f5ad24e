import { createReadStream, readFileSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { allChains, selectChainHead, selectChainPart, type ChainHead } from "@/db/audit/select-chain";
import { chainName } from "@/domain/access/audit-chain";
import { readEntryLine } from "@/engine/audit/entry-lines";
import { readPublicKeys, type PublicKeys } from "@/engine/audit/signing-key";
import { createVerification, type ChainReport, type VerifyReport } from "@/engine/audit/verify-chains";
import { CHAIN_BATCH } from "@/engine/audit/walk-chain";
import { typed } from "../startup/installation";
import { withChains } from "./open-chains";

const USAGE = typed(
  "audit verify --checkpoints FILE… --public-key FILE… (--entries FILE… | --database postgres://… | --data-dir .onceboard) [--chain acme]",
);
/** A file of checkpoints that is larger is verified in parts. */
const MOST_BYTES = 512 * 1_024 * 1_024;

interface VerifyOptions {
  readonly checkpoints: readonly string[];
  readonly "public-key": readonly string[];
  readonly entries: readonly string[];
  readonly chain: string | undefined;
  readonly database: string | undefined;
  readonly "data-dir": string | undefined;
}

/** The command: exits with 1 when a chain does not hold, or nothing is proved of it. */
export async function auditVerify(argv: readonly string[]): Promise<void> {
  if (!(await verifyChains(argv, (line) => void process.stdout.write(`${line}\n`)))) process.exitCode = 1;
}

/**
 * Verifies chains from an export or from a database against checkpoints that were kept elsewhere.
 * @param say told what was found, line by line
 * @returns whether all of them hold
 * @throws Error in one sentence when something cannot be read
 */
export async function verifyChains(argv: readonly string[], say: (line: string) => void): Promise<boolean> {
  const options = readOptions(argv);
  const keys: PublicKeys = new Map(options["public-key"].flatMap((file) => [...readPublicKeys(file)]));
  const lines = options.checkpoints.flatMap(linesOf).filter((line) => isOf(line, options.chain));
  const verification = createVerification(lines, keys);
  const report =
    options.entries.length > 0 ? await verifyFiles(options, verification) : await verifyDatabase(options, verification);
  for (const line of report.badLines) say(`wrong  checkpoints, ${line}`);
  for (const chain of report.chains) for (const line of wordsOf(chain)) say(line);
  const wrong = report.badLines.length + report.chains.filter(({ problem }) => problem !== undefined).length;
  say(`${String(report.chains.length)} chains, ${String(wrong)} wrong`);
  return wrong === 0 && report.chains.length > 0;
}

type Verification = ReturnType<typeof createVerification>;

async function verifyFiles({ entries, chain }: VerifyOptions, verification: Verification): Promise<VerifyReport> {
  for (const file of entries) {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      number += 1;
      if (line === "") continue;
      const entry = readEntryLine(line);
      if (entry === undefined) throw new Error(`${file}, line ${String(number)}: this is no entry of an export.`);
      if (chain === undefined || entry.chain === chain) verification.add(entry);
    }
  }
  return verification.finish();
}

function verifyDatabase(options: VerifyOptions, verification: Verification): Promise<VerifyReport> {
  return withChains(options, async (db) => {
    const heads = new Map<string, ChainHead>();
    const names = options.chain === undefined ? [] : [options.chain];
    if (options.chain === undefined)
      for await (const { chain } of allChains(db, chainName("", "access"))) names.push(chain);
    for (const chain of names) {
      for (let from = 1n; ;) {
        // Before the entries: what is added meanwhile comes with its own head.
        heads.set(chain, await selectChainHead(db, chain));
        const part = await selectChainPart(db, chain, from, CHAIN_BATCH);
        for (const entry of part) verification.add(entry);
        const last = part.at(-1);
        if (last === undefined || part.length < CHAIN_BATCH) break;
        from = last.sequence + 1n;
      }
    }
    return verification.finish((chain) => heads.get(chain));
  });
}

function readOptions(argv: readonly string[]): VerifyOptions {
  const many = { type: "string", multiple: true } as const;
  const one = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        ...{ checkpoints: many, "public-key": many, entries: many, chain: one, database: one, "data-dir": one },
      },
    });
    const { checkpoints = [], "public-key": keys = [], entries = [], chain, database, "data-dir": dataDir } = values;
    if (checkpoints.length === 0 || keys.length === 0) throw new Error("--checkpoints and --public-key are needed");
    return { checkpoints, "public-key": keys, entries, chain, database, "data-dir": dataDir };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}. Usage: ${USAGE}`);
  }
}

function linesOf(file: string): string[] {
  if (statSync(file).size > MOST_BYTES) throw new Error(`${file} is too large to be read at once: split it.`);
  return readFileSync(file, "utf8").split("\n");
}

/** A line that cannot be read is of every chain. */
function isOf(line: string, chain: string | undefined): boolean {
  if (chain === undefined) return true;
  try {
    return (JSON.parse(line) as { chain?: unknown }).chain === chain;
  } catch {
    return line.trim() !== "";
  }
}

function wordsOf({
  chain,
  entries,
  problem,
  newest,
  checkpoints,
  setAside,
  firstRule,
  ofServices,
}: ChainReport): string[] {
  if (problem !== undefined) return [`wrong  ${chain}: ${problem}`];
  const since = entries - (newest?.sequence ?? 0n);
  const lines = [
    `ok     ${chain}: ${String(entries)} entries fit ${String(checkpoints)} checkpoints; the newest is of ${newest?.at ?? ""}, ${String(since)} entries since`,
  ];
  if (newest?.reason !== undefined) lines.push(`note   ${chain}: checkpoints were begun anew: ${newest.reason}`);
  if (setAside > 0)
    lines.push(`note   ${chain}: ${String(setAside)} checkpoints of before do not fit and were set aside`);
  if (firstRule > 0n)
    lines.push(`note   ${chain}: ${String(firstRule)} entries are of the first rule, which does not cover their ids`);
  if (ofServices > 0n)
    lines.push(
      `note   ${chain}: ${String(ofServices)} entries were written by services inside the database and are not signed`,
    );
  return lines;
}
