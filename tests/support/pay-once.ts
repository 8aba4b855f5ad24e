/**
 * A caller in a process of its own, to be killed: pays once and prints the outcome.
 * Arguments: database URL, sandbox URL, keyring entry, key, merchant reference, Stripe key when the sandbox is Stripe's.
 */
import { createDatabase } from "@/db/client";
import { createEngineBase } from "@/engine/base";
import { engineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { createLog } from "@/engine/telemetry/log";
import { createOperations } from "@/payments/operations";
import { createSandboxProvider } from "@/payments/provider/sandbox-adapter";
import { createStripeProvider } from "@/payments/provider/stripe/adapter";

const [url = "", sandboxUrl = "", keys = "", key = "", reference = "", secretKey] = process.argv.slice(2);
const db = createDatabase({ url });
const log = createLog("silent");
const ctx = engineContext(
  createEngineBase({
    db,
    instance: `pay-once-${String(process.pid)}`,
    config: {
      leaseSeconds: 30,
      idempotencyTtlHours: 24,
      bodyTtlHours: 24,
      metadataTtlDays: 30,
      providerTimeoutMs: 20_000,
    },
    encryptionKeys: keys,
    secret: "a secret of this test",
    log,
  }),
  { tenantId: "acme", actor: { kind: "client", id: "till-web", name: "till-web", scopes: [] }, requestId: "req-child" },
);
const { createPayment } = createOperations(
  secretKey === undefined
    ? createSandboxProvider({ url: sandboxUrl })
    : createStripeProvider({ secretKey, apiBase: sandboxUrl }),
);
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
