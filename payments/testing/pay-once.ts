/**
 * A caller in a process of its own, to be killed: pays once and prints the outcome.
 * Arguments: database URL, sandbox URL, keyring entry, key, merchant reference.
 */
import { createDatabase } from "@/db/client";
import { createBodyKeyring } from "@/engine/body-keyring";
import { engineContext } from "@/engine/context";
import { execute } from "@/engine/execute";
import { createLog } from "@/engine/log";
import { createAnswerRecorder } from "@/engine/record-answers";
import { createOperations } from "../operations";
import { createSandboxProvider } from "../provider/sandbox-adapter";

const [url = "", sandboxUrl = "", keys = "", key = "", reference = ""] = process.argv.slice(2);
const db = createDatabase({ url });
const log = createLog("silent");
const ctx = engineContext(
  {
    db,
    instance: `pay-once-${String(process.pid)}`,
    config: {
      leaseSeconds: 30,
      idempotencyTtlHours: 24,
      bodyTtlHours: 24,
      metadataTtlDays: 30,
      providerTimeoutMs: 20_000,
    },
    keyring: createBodyKeyring(keys, "a secret of this test"),
    answers: createAnswerRecorder(db, log),
    log,
  },
  { tenantId: "acme", actor: { kind: "client", id: "till-web", name: "till-web", scopes: [] }, requestId: "req-child" },
);
const { createPayment } = createOperations(createSandboxProvider({ url: sandboxUrl }));
const command = {
  accountId: "acc_1",
  amountMinor: 4200n,
  currency: "EUR",
  merchantReference: reference,
  channel: "web",
};
const answer = await execute(ctx, createPayment, { key, command, receivedAt: performance.now() });
process.stdout.write(`${answer.outcome}\n`);
process.exit(0);
