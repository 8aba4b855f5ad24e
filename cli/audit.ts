import { auditExport } from "./audit/export";
import { makeAuditKey } from "./audit/key";
import { auditRestart } from "./audit/restart";
import { auditVerify } from "./audit/verify";
import { typed } from "./startup/installation";
import { runMain } from "./startup/run-main";

const PARTS: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  key: makeAuditKey,
  export: auditExport,
  verify: auditVerify,
  restart: auditRestart,
};

/** The audit outside of the console: a key for it, its entries in a file, and whether they hold. docs/runbooks/audit.md. */
await runMain(async () => {
  const [name = "", ...rest] = process.argv.slice(2);
  const part = PARTS[name];
  if (part === undefined) throw new Error(`Say what to do: ${typed(`audit ${Object.keys(PARTS).join("|")}`)}.`);
  await part(rest);
});
