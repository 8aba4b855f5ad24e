import type { Caller } from "./caller";
import type { Lane } from "./lane";
import type { Plan } from "./plan";
import type { OperationName } from "./operations";

/** One run: where it happens, what it decided, who asks. */
export interface Run {
  readonly lane: Lane;
  readonly plan: Plan;
  readonly tenant: string;
  readonly callers: Caller[];
  /** Of the payment that a refund or a void is about. */
  paymentId: string | undefined;
}

const AMOUNT_MINOR = 4_200n;
const REFUND_MINOR = 300n;
const OTHER_MINOR = 100n;

/** @param other the same key with another command, as a caller that mixed up its keys */
export function addCaller(
  run: Run,
  name: string,
  options: { readonly patient: boolean; readonly other?: boolean },
): Caller {
  const { plan, tenant } = run;
  const other = options.other === true;
  const caller: Caller = {
    name,
    intent: other ? `${tenant}-other` : tenant,
    patient: options.patient,
    told: undefined,
    heard: [],
    wish: { operation: plan.operation, key: `key-${tenant}`, fields: fieldsOf(plan.operation, run, other) },
  };
  run.callers.push(caller);
  return caller;
}

function fieldsOf(operation: OperationName, run: Run, other: boolean): Readonly<Record<string, string>> {
  const paymentId = run.paymentId ?? "";
  switch (operation) {
    case "payment":
      return { accountId: "acc_1", amountMinor: String(AMOUNT_MINOR + (other ? OTHER_MINOR : 0n)) };
    case "refund":
      return { paymentId, amountMinor: String(REFUND_MINOR + (other ? OTHER_MINOR : 0n)) };
    case "void":
      // A void has nothing else that could differ.
      return { paymentId };
    case "account":
      return { accountId: `acc-${run.tenant}`, currency: other ? "USD" : "EUR" };
  }
}
