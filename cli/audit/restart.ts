import { readAuditKeys } from "@/engine/audit/audit-keys";
import { openSinks } from "@/engine/audit/sinks/open-sinks";
import { createWitness } from "@/engine/audit/witness";
import { createLog } from "@/engine/telemetry/log";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { withDatabase } from "../startup/with-database";

const USAGE = typed('audit restart --chain acme --reason "restored from the backup of Monday" [--data-dir .onceboard]');

/** Sets the checkpoints of a chain aside, after a restore for example: only whoever has the key can, and it is said for ever. */
export async function auditRestart(argv: readonly string[]): Promise<void> {
  const {
    chain,
    reason,
    "data-dir": dataDir,
  } = readArguments(argv, USAGE, {
    needed: ["chain", "reason"],
    optional: ["data-dir"],
  });
  await withDatabase(dataDir, async (db, config) => {
    const { key, known: keys } = readAuditKeys(config);
    if (key === undefined || config.auditSinks.length === 0)
      throw new Error("AUDIT_KEY_FILE and AUDIT_SINKS are needed: there are no checkpoints without them.");
    const sinks = openSinks(config.auditSinks, config.auditSinkToken);
    const log = createLog(config.logLevel, { process: "audit" });
    const witness = createWitness({ db: db.pool, key, keys, sinks, everyMs: 0, log });
    try {
      const made = await witness.restart(chain, reason);
      process.stdout.write(`Checkpoints of ${chain} begin anew at #${made.sequence.toString()}.\n`);
    } finally {
      await witness.close();
    }
  });
}
