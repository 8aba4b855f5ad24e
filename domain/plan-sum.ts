import { formatCount } from "./display-time";
import type { PlanView } from "./views/plans";

/** Plan against outcome as one sum that adds up: every frozen row is counted once (C.6). */
export function reconciliation({ total, acting, counts, stillUnknown }: PlanView): string {
  const left = total - acting;
  const changed = counts.skipped - left - stillUnknown;
  const parts = [
    `${formatCount(counts.done)} done`,
    ...(stillUnknown > 0 ? [`${formatCount(stillUnknown)} asked about and still unknown`] : []),
    ...(changed > 0 ? [`${formatCount(changed)} skipped otherwise than the dry run said`] : []),
    ...(left > 0 ? [`${formatCount(left)} left alone as the dry run said`] : []),
    ...(counts.failed > 0 ? [`${formatCount(counts.failed)} failed`] : []),
    ...(counts.waiting > 0 ? [`${formatCount(counts.waiting)} untouched`] : []),
  ];
  return `${formatCount(total)} frozen = ${parts.join(" + ")}.`;
}
