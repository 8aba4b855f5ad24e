import type { CrashCaller } from "./caller";
import type { CrashSession } from "./session";
import type { Plan } from "./plan";
import type { OperationName } from "./point";

/** One run: where it happens, what it decided, who asks. */
export interface CrashRun {
  readonly session: CrashSession;
  readonly plan: Plan;
  readonly tenant: string;
  readonly callers: CrashCaller[];
  /** Of the payment that a refund or a void is about. */
  paymentId: string | undefined;
}

const AMOUNT_MINOR = 4_200n;
const REFUND_MINOR = 300n;
const OTHER_MINOR = 100n;

/** @param other the same key with another command, as a caller that mixed up its keys */
export function addCaller(
  run: CrashRun,
  name: string,
  options: { readonly retries: boolean; readonly other?: boolean },
): CrashCaller {
  const { plan, tenant } = run;
  const other = options.other === true;
  const caller: CrashCaller = {
    name,
    intent: other ? `${tenant}-other` : tenant,
    retries: options.retries,
    result: undefined,
    heard: [],
    wish: { operation: plan.operation, key: `key-${tenant}`, fields: fieldsOf(plan.operation, run, other) },
  };
  run.callers.push(caller);
  return caller;
}

/** The other callers of the key, of which one may come with another command; a void has nothing that could differ. */
export function addRivals(run: CrashRun): CrashCaller[] {
  const { rivals, otherCommand, operation } = run.plan;
  return Array.from({ length: rivals }, (_, index) =>
    addCaller(run, `rival-${String(index)}`, {
      retries: true,
      other: otherCommand && index === 0 && operation !== "void",
    }),
  );
}

/** Callers of other keys, who want other things. */
export function addNeighbours(run: CrashRun): CrashCaller[] {
  const { plan, tenant, callers } = run;
  return Array.from({ length: plan.neighbours }, (_, index) => {
    const name = `neighbour-${String(index)}`;
    const fields =
      plan.operation === "account"
        ? { accountId: `acc-${tenant}-${name}`, currency: "EUR" }
        : { accountId: "acc_1", amountMinor: String(AMOUNT_MINOR + BigInt(index) + 1n) };
    const wish = { operation: plan.operation, key: `key-${tenant}-${name}`, fields };
    const caller: CrashCaller = {
      name,
      intent: `${tenant}-${name}`,
      retries: true,
      result: undefined,
      heard: [],
      wish,
    };
    callers.push(caller);
    return caller;
  });
}

function fieldsOf(operation: OperationName, run: CrashRun, other: boolean): Readonly<Record<string, string>> {
  const paymentId = run.paymentId ?? "";
  switch (operation) {
    case "payment":
      return { accountId: "acc_1", amountMinor: String(AMOUNT_MINOR + (other ? OTHER_MINOR : 0n)) };
    case "refund":
      return { paymentId, amountMinor: String(REFUND_MINOR + (other ? OTHER_MINOR : 0n)) };
    case "void":
      return { paymentId };
    case "account":
      return { accountId: `acc-${run.tenant}`, currency: other ? "USD" : "EUR" };
  }
}
