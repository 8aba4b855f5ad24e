import { createDatabase } from "@/db/client";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { createEngineBase } from "@/engine/base";
import { engineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { createLog } from "@/engine/telemetry/log";
import { recoverDue } from "@/engine/recover/recover-due";
import { readRefundCommand } from "@/payments/create-refund";
import { createConsumers } from "@/payments/consumers/index";
import { createOperations, createRegistry } from "@/payments/operations";
import { createSandboxProvider } from "@/payments/provider/sandbox-adapter";
import { readVoidCommand } from "@/payments/void-payment";
import { BUGS } from "../bugs/catalogue";
import { pointSeams } from "./arm";
import { openMessages, shortLeases, type MessageWork } from "./messages";
import type { CallResult } from "@/db/checks/oracles/recorder";
import type { ChildPlace, Wish } from "./protocol";
import { withSeams } from "./seams";
import { withRecorder } from "./recorder-consumer";
import type { EngineConfig } from "@/engine/engine-config";

/** Leases are backdated by the harness, never waited for. */
const CONFIG: EngineConfig = {
  leaseSeconds: 30,
  idempotencyTtlHours: 24,
  bodyTtlHours: 24,
  metadataTtlDays: 30,
  providerTimeoutMs: 1_000,
};
const RECOVERED_AT_ONCE = 20;

/** The engine and the example business of one process, without HTTP. */
export interface ChildWork {
  call(tenant: string, client: string, wish: Wish): Promise<ExecuteAnswer>;
  recover(tenant: string): Promise<number>;
  /** A planted bug may change it. */
  result(result: CallResult): CallResult;
  readonly messages: MessageWork;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function openWork(place: ChildPlace): ChildWork {
  const bug = place.bug === undefined ? undefined : BUGS[place.bug]?.code?.(place);
  if (place.bug !== undefined && bug === undefined) throw new Error(`There is no planted bug ${place.bug}.`);
  const plain = createDatabase({ url: place.databaseUrl, applicationName: place.instance });
  const short = place.messageLeaseMs === undefined ? [] : [shortLeases(place.messageLeaseMs)];
  const db = withSeams(plain, [...(bug?.seams ?? []), ...short, pointSeams]);
  const log = createLog("silent");
  const provider = createSandboxProvider({ url: place.providerUrl });
  const operations = createOperations(bug?.provider?.(provider) ?? provider);
  const registry = createRegistry(operations);
  const { instance, encryptionKeys, secret } = place;
  const base = createEngineBase({ db, instance, config: CONFIG, encryptionKeys, secret, log });
  const consumers = withRecorder(createConsumers(registry), bug?.effect);
  const messages = openMessages({ place, db, base, provider, operations, consumers });
  let requests = 0;
  const contextOf = (tenantId: string, client: string) => {
    requests += 1;
    const actor = { kind: "client", id: client, name: client, scopes: [] } as const;
    return engineContext(base, { tenantId, actor, requestId: `${place.instance}-${String(requests)}` });
  };
  return {
    async call(tenant, client, { operation, key, fields }) {
      const ctx = contextOf(tenant, client);
      const request = { key, receivedAt: performance.now() };
      const field = (name: string): string => fields[name] ?? "";
      switch (operation) {
        case "payment": {
          const command = {
            accountId: field("accountId"),
            amountMinor: BigInt(field("amountMinor")),
            currency: "EUR",
            merchantReference: fields["merchantReference"],
            channel: "web",
          };
          return execute(ctx, operations.createPayment, { ...request, command });
        }
        case "refund": {
          const asked = { paymentId: field("paymentId"), amount: Number(field("amountMinor")), reason: undefined };
          const command = await readRefundCommand(ctx, asked);
          return execute(ctx, operations.createRefund, { ...request, command });
        }
        case "void": {
          const command = await readVoidCommand(ctx, { paymentId: field("paymentId") });
          return execute(ctx, operations.voidPayment, { ...request, command });
        }
        case "account": {
          const { email } = fields;
          const command = { accountId: field("accountId"), currency: field("currency"), email };
          return execute(ctx, operations.createAccount, { ...request, command });
        }
      }
    },
    async recover(tenantId) {
      const actor = { kind: "system", id: "recover", name: place.instance } as const;
      const ctx = engineContext(base, { tenantId, actor, requestId: place.instance });
      return (await recoverDue(ctx, registry, { limit: RECOVERED_AT_ONCE })).taken;
    },
    result: (result) => bug?.result?.(result) ?? result,
    messages,
    flush: () => base.answers.flush(),
    async close() {
      messages.close();
      await base.answers.close();
      provider.close();
      await plain.close();
    },
  };
}
