import { settleWords } from "@/presentation/operation/decision-claims";
import { askServiceWords } from "@/presentation/operation/service-request";
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
export function settleOptions({ actions, leaves, nextCheckAt, service }: OperationDetail): readonly SettleOption[] {
  const option = (name: ActionName, decision: SettleOption["decision"], effect: string): SettleOption => {
    const action = actions.find((one) => one.action === name);
    const off = action?.allowed !== true;
    const text = off ? (action?.whyNot ?? "Not offered here.") : effect;
    return { decision, label: action?.label ?? decision, text, off };
  };
  const own = settleWords({ leaves, nextCheckAt });
  const asked = (outcome: "succeeded" | "failed"): string =>
    service === undefined ? own[outcome] : askServiceWords({ service, action: "resolve", outcome });
  return [
    option("resolve_succeeded", "succeeded", asked("succeeded")),
    option("resolve_failed", "failed", asked("failed")),
    option("keep_waiting", "keep_waiting", own.keepWaiting),
  ];
}
