import type { ActionName } from "@/presentation/views/common";
import type { OperationDetail } from "@/presentation/views/operations";

export interface SettleOption {
  readonly decision: "succeeded" | "failed" | "keep_waiting";
  readonly label: string;
  /** What it does, or why it is not offered. */
  readonly text: string;
  readonly off: boolean;
}

/** The three ways to settle, each with its effect; what the facts contradict stays visible with its reason. */
export function settleOptions({ actions, kind, nextCheckAt }: OperationDetail): readonly SettleOption[] {
  const option = (name: ActionName, decision: SettleOption["decision"], effect: string): SettleOption => {
    const action = actions.find((one) => one.action === name);
    const off = action?.allowed !== true;
    const text = off ? (action?.whyNot ?? "Not offered here.") : effect;
    return { decision, label: action?.label ?? decision, text, off };
  };
  const next = nextCheckAt === undefined ? "no look-up is planned" : "the next look-up stays due";
  return [
    option(
      "resolve_succeeded",
      "succeeded",
      `Stores 201 as the answer, posts the ${kind.toLowerCase()} to the ledger and publishes it. Every retry gets this answer.`,
    ),
    option(
      "resolve_failed",
      "failed",
      "Stores the failure as the answer. No ledger entry, no message. A customer who pays again is charged anew.",
    ),
    option("keep_waiting", "keep_waiting", `Callers keep getting 409 with Retry-After. Nothing is sent; ${next}.`),
  ];
}
