import type { OperationRegistry, ProviderOperation } from "@/engine/execute/operation";
import { createAccount } from "./create-account";
import { createPayment } from "./create-payment";
import { createRefund } from "./create-refund";
import type { PaymentProvider } from "./provider/port";
import { voidPayment } from "./void-payment";

/** The operations of the example business over one provider. */
export interface Operations {
  readonly createAccount: typeof createAccount;
  readonly createPayment: ReturnType<typeof createPayment>;
  readonly createRefund: ReturnType<typeof createRefund>;
  readonly voidPayment: ReturnType<typeof voidPayment>;
}

export function createOperations(provider: PaymentProvider): Operations {
  return {
    createAccount,
    createPayment: createPayment(provider),
    createRefund: createRefund(provider),
    voidPayment: voidPayment(provider),
  };
}

/** What recovery can settle, by the name in the table. */
export function createRegistry(operations: Operations): OperationRegistry {
  const byName = new Map<string, ProviderOperation<never>>();
  for (const operation of [operations.createPayment, operations.createRefund, operations.voidPayment]) {
    byName.set(operation.name, operation);
  }
  return { provider: (name) => byName.get(name) };
}
