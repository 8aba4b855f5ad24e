import { type KindExpectation, LEDGER_CONSUMER, type OperationEntry } from "@/engine/index";

const PAYMENT: KindExpectation = {
  once: "Money moved once.",
  none: "No money moved.",
  doubt: "It is not known yet whether money moved.",
  provider: {
    asked: "The provider was asked to move money under one key.",
    acted: "The provider moved it once.",
    idle: "The provider moved nothing.",
  },
  effect: { kind: "payment", label: "Payment" },
  event: "payment.succeeded",
  entry: "payment",
  postedBy: LEDGER_CONSUMER,
  money: "takes",
};

const REFUND: KindExpectation = {
  once: "Money was given back once.",
  none: "No money was given back.",
  doubt: "It is not known yet whether money was given back.",
  provider: {
    asked: "The provider was asked to give money back under one key.",
    acted: "The provider gave it back once.",
    idle: "The provider gave nothing back.",
  },
  effect: { kind: "refund", label: "Refund" },
  event: "refund.succeeded",
  entry: "refund",
  postedBy: LEDGER_CONSUMER,
  money: "returns",
};

const VOID: KindExpectation = {
  once: "The payment was voided once.",
  none: "Nothing was voided.",
  doubt: "It is not known yet whether the payment was voided.",
  provider: {
    asked: "The provider was asked to void under one key.",
    acted: "The provider voided it once.",
    idle: "The provider voided nothing.",
  },
  effect: { kind: "void", label: "Void" },
  event: "payment.voided",
  entry: "void",
  postedBy: LEDGER_CONSUMER,
  money: "returns",
};

const ACCOUNT: KindExpectation = {
  once: "The account was opened once.",
  none: "No account was opened.",
  doubt: "It is not known yet whether the account was opened.",
  effect: { kind: "account", label: "Account" },
  event: "account.opened",
  entry: "none",
};

/** What the console must know of each operation: what it is called, and what it leaves when it takes effect. */
export const KINDS = {
  "payments.create": { label: "Payment", route: "POST /payments", expects: PAYMENT },
  "refunds.create": { label: "Refund", route: "POST /refunds", expects: REFUND },
  "payments.void": { label: "Void", route: "POST /payments/{id}/void", expects: VOID },
  "accounts.create": { label: "Account", route: "POST /accounts", expects: ACCOUNT },
} as const satisfies Readonly<Record<string, Omit<OperationEntry, "definition">>>;
