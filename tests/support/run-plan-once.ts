/**
 * A worker in a process of its own that runs a plan, or asks for its dry run, and is killed in the middle: the second provider answer it
 * reads is its last. Arguments: database URL, sandbox URL, keyring entry, `ask` for the dry run.
 */
import { createDatabase } from "@/db/client";
import { createEngineBase } from "@/engine/base";
import { engineContext } from "@/engine/context";
import { armCrashPoints } from "@/engine/crash-point";
import { createLog } from "@/engine/telemetry/log";
import { askPlan } from "@/console/plans/ask-plan";
import { runPlan } from "@/console/plans/run-plan";
import { createOperations, createRegistry } from "@/payments/operations";
import { createSandboxProvider } from "@/payments/provider/sandbox-adapter";

const SECOND = 2;

const [url = "", sandboxUrl = "", keys = "", what = "run"] = process.argv.slice(2);
const base = createEngineBase({
  db: createDatabase({ url }),
  instance: `killed-${String(process.pid)}`,
  config: {
    leaseSeconds: 30,
    idempotencyTtlHours: 24,
    bodyTtlHours: 24,
    metadataTtlDays: 30,
    providerTimeoutMs: 20_000,
  },
  encryptionKeys: keys,
  secret: "a secret of this test",
  log: createLog("silent"),
});
const actor = { kind: "system", id: "plans", name: "plans" } as const;
const ctx = engineContext(base, { tenantId: "acme", actor, requestId: "req-child" });
let answers = 0;
armCrashPoints((point) => {
  if (point === "R4" && (answers += 1) === SECOND) process.kill(process.pid, "SIGKILL");
});
const registry = createRegistry(createOperations(createSandboxProvider({ url: sandboxUrl })));
await (what === "ask" ? askPlan(ctx, { registry }) : runPlan(ctx, { registry }));
process.exit(0);
