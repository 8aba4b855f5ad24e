import { settleWords } from "@/presentation/operation/decision-claims";
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
export function settleOptions({ actions, leaves, nextCheckAt }: OperationDetail): readonly SettleOption[] {
  const option = (name: ActionName, decision: SettleOption["decision"], effect: string): SettleOption => {
    const action = actions.find((one) => one.action === name);
    const off = action?.allowed !== true;
    const text = off ? (action?.whyNot ?? "Not offered here.") : effect;
    return { decision, label: action?.label ?? decision, text, off };
  };
  const words = settleWords({ leaves, nextCheckAt });
  return [
    option("resolve_succeeded", "succeeded", words.succeeded),
    option("resolve_failed", "failed", words.failed),
    option("keep_waiting", "keep_waiting", words.keepWaiting),
  ];
}
