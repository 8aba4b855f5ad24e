import { createDatabase } from "@/db/client";
import { readAuditKeys } from "@/engine/audit/audit-keys";
import { useAuditKey } from "@/engine/audit/signer";
import { afterRestore } from "@/engine/recover/after-restore";
import { readArguments } from "./startup/arguments";
import { openForCommand } from "./startup/open-environment";
import { runMain } from "./startup/run-main";
import { typed } from "./startup/installation";

const USAGE = typed("restored [--hold-hours 24] [--data-dir .onceboard]");
/** It walks over every key that may be tried again. */
const STATEMENT_TIMEOUT_MS = 600_000;
const MAX_HOLD_HOURS = 8_760;

/** After a restore from a backup, before any process works on the database (docs/runbooks/restore.md). */
await runMain(async () => {
  const { "hold-hours": hours, "data-dir": dataDir } = readArguments(process.argv.slice(2), USAGE, {
    needed: [],
    optional: ["hold-hours", "data-dir"],
  });
  const environment = await openForCommand(process.env, dataDir);
  try {
    const { ownerUrl } = environment;
    const { idempotencyTtlHours } = environment.config;
    const holdHours = hours === undefined ? idempotencyTtlHours : Number(hours);
    if (!Number.isInteger(holdHours) || holdHours < 0 || holdHours > MAX_HOLD_HOURS)
      throw new Error(`--hold-hours is a whole number up to ${String(MAX_HOLD_HOURS)}. Usage: ${USAGE}`);
    useAuditKey(readAuditKeys(environment.config).key);
    const options = { max: 1, role: "owner", statementTimeoutMs: STATEMENT_TIMEOUT_MS } as const;
    const db = createDatabase({ url: ownerUrl, applicationName: "onceboard restored", ...options });
    try {
      const done = await afterRestore(db, holdHours);
      process.stdout.write(
        [
          `${String(done.asked)} operations are unknown, and their provider is asked for them`,
          `${String(done.waiting)} operations are unknown, and wait for a person`,
          `${String(done.again)} operations had all in the database, and their keys are free`,
          `${String(done.sessions)} sessions ended`,
          `keys that may have been used before are refused until ${done.hold_until.toISOString()}`,
          "",
        ].join("\n"),
      );
    } finally {
      await db.close();
    }
  } finally {
    await environment.close();
  }
});
