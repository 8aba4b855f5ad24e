import { defineModule, MAIL_TOPIC, type Module, type Settings, type SideProcess } from "@/engine/index";
import { paymentConsumers } from "./consumers";
import { EVENTS } from "./event-types";
import { createMailTransport } from "./mail/mail-transport";
import { createOperations, createRegistry, operationEntries } from "./operations";
import type { PaymentProvider } from "./provider/port";
import { accountRoutes } from "./routes/accounts";
import { PAYMENT_ERRORS } from "./routes/errors";
import { paymentMesh } from "./routes/mesh";
import { paymentRoutes } from "./routes/payments";
import { PAYMENTS_TABLES } from "./tables";
import { webhookSecret } from "./webhook-secret";

/** Events of the provider: it signs for all tenants with one secret, which every process derives. */
export const PROVIDER_SOURCE = "provider";

/**
 * The example business: payments, refunds, voids and accounts.
 * @param provider that money goes through; the configuration names it too, so that it is closed
 */
export function paymentsModule(settings: Settings, provider: PaymentProvider): Module {
  const operations = createOperations(provider);
  return defineModule({
    ...PAYMENTS_TABLES,
    operations: operationEntries(operations),
    consumers: paymentConsumers(createRegistry(operations)),
    routes: [...paymentRoutes(operations), ...accountRoutes(operations)],
    mesh: paymentMesh(operations),
    errors: PAYMENT_ERRORS,
    events: EVENTS,
    resources: { payment: "/payments/{id}", refund: "/refunds/{id}", account: "/accounts/{id}" },
    sources: [{ name: PROVIDER_SOURCE, secret: webhookSecret(settings.secret, PROVIDER_SOURCE) }],
    // What these say moves money.
    signedOnly: ["sandbox"],
    destinations: [{ topic: MAIL_TOPIC, open: () => createMailTransport(settings) }],
    processes: settings.provider === "sandbox" ? [sandbox(settings)] : [],
  });
}

/** A pretend provider as a process of its own. */
function sandbox({ port, basePath, sandboxPort, secret }: Settings): SideProcess {
  return {
    name: "sandbox",
    entry: "payments/sandbox/main.ts",
    env: {
      SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${String(port)}${basePath}/api/v1/events/${PROVIDER_SOURCE}`,
      SANDBOX_WEBHOOK_SECRET: webhookSecret(secret, PROVIDER_SOURCE),
    },
    reads: ["SANDBOX_SEED"],
    port: { number: sandboxPort, setting: "SANDBOX_PORT" },
    ready: /^sandbox provider on /,
  };
}
