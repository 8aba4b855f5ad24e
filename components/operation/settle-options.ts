import type { ActionName, ActionView } from "@/presentation/views/common";
import type { OperationDetail } from "@/presentation/views/operations";

export interface SettleOption {
  readonly decision: "succeeded" | "failed" | "keep_waiting";
  readonly label: string;
  /** What it does, or why it is not offered. */
  readonly text: string;
  readonly off: boolean;
}

/** The three ways to settle, each with its effect; what the facts contradict stays visible with its reason. */
export function settleOptions(operation: OperationDetail): readonly SettleOption[] {
  const what = operation.kind.toLowerCase();
  return [
    option(
      operation,
      "resolve_succeeded",
      "succeeded",
      `Stores 201 as the answer, posts the ${what} to the ledger and publishes it. Every retry gets this answer.`,
    ),
    option(
      operation,
      "resolve_failed",
      "failed",
      `Stores the failure as the answer. No ledger entry, no message. A customer who pays again is charged anew.`,
    ),
    option(
      operation,
      "keep_waiting",
      "keep_waiting",
      `Callers keep getting 409 with Retry-After. Nothing is sent; ${operation.nextCheckAt === undefined ? "no look-up is planned" : "the next look-up stays due"}.`,
    ),
  ];
}

function option(
  operation: OperationDetail,
  name: ActionName,
  decision: SettleOption["decision"],
  effect: string,
): SettleOption {
  const action: ActionView | undefined = operation.actions.find((one) => one.action === name);
  const off = action?.allowed !== true;
  return {
    decision,
    label: action?.label ?? decision,
    text: off ? (action?.whyNot ?? "Not offered here.") : effect,
    off,
  };
}
