import { registryOf, type OperationEntry, type OperationRegistry } from "@/engine/index";
import { createAccount } from "./create-account";
import { createPayment } from "./create-payment";
import { createRefund } from "./create-refund";
import { KINDS } from "./kinds";
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

/** @returns the operations with what the console must know of them */
export function operationEntries(operations: Operations): readonly OperationEntry[] {
  const { createPayment, createRefund, voidPayment, createAccount } = operations;
  return [
    { definition: createPayment, ...KINDS["payments.create"] },
    { definition: createRefund, ...KINDS["refunds.create"] },
    { definition: voidPayment, ...KINDS["payments.void"] },
    { definition: createAccount, ...KINDS["accounts.create"] },
  ];
}

/** What recovery can settle, by the name in the table. */
export function createRegistry(operations: Operations): OperationRegistry {
  return registryOf(operationEntries(operations));
}
