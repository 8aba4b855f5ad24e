import { once } from "node:events";
import { allChains, selectChainPart } from "@/db/audit/select-chain";
import type { Queryable } from "@/db/client";
import { chainName } from "@/domain/access/audit-chain";
import { CHAIN_BATCH } from "@/engine/audit/walk-chain";
import { entryLine } from "@/engine/audit/entry-lines";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { withChains } from "./open-chains";

const USAGE = typed("audit export [--chain acme] [--database postgres://… | --data-dir .onceboard] > entries.ndjson");

/** Writes all entries of a chain, or of all chains, to standard output: every column, one entry a line. */
export async function auditExport(argv: readonly string[]): Promise<void> {
  const options = readArguments(argv, USAGE, { needed: [], optional: ["chain", "database", "data-dir"] });
  await withChains(options, async (db) => {
    if (options.chain !== undefined) return exportChain(db, options.chain);
    for await (const { chain } of allChains(db, chainName("", "access"))) await exportChain(db, chain);
  });
}

async function exportChain(db: Queryable, chain: string): Promise<void> {
  for (let from = 1n; ;) {
    const entries = await selectChainPart(db, chain, from, CHAIN_BATCH);
    const text = entries.map((entry) => `${entryLine(entry)}\n`).join("");
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
    const last = entries.at(-1);
    if (last === undefined || entries.length < CHAIN_BATCH) return;
    from = last.sequence + 1n;
  }
}
