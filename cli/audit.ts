import { typed } from "./startup/installation";
import { runMain } from "./startup/run-main";

/** Each with its own imports: an auditor's command does not wait for the engine. */
const PARTS: Readonly<Record<string, () => Promise<(argv: readonly string[]) => Promise<void>>>> = {
  key: async () => (await import("./audit/key")).makeAuditKey,
  export: async () => (await import("./audit/export")).auditExport,
  verify: async () => (await import("./audit/verify")).auditVerify,
  restart: async () => (await import("./audit/restart")).auditRestart,
};

/** The audit outside of the console: a key for it, its entries in a file, and whether they hold. docs/runbooks/audit.md. */
await runMain(async () => {
  const [name = "", ...rest] = process.argv.slice(2);
  const part = PARTS[name];
  if (part === undefined) throw new Error(`Say what to do: ${typed(`audit ${Object.keys(PARTS).join("|")}`)}.`);
  const run = await part();
  await run(rest);
});
