import { RISK_TIMES, type RiskTime } from "@/domain/metrics/risk";
import { formatClock, formatDay } from "../format/display-time";

const DAY_SECONDS = 86_400;

/** A moment of a chart, of UTC: "14:02"; "19 Nov, 14:02" where the chart is longer than a day or ends in the past. */
export function momentText(iso: string, { range, live, to }: RiskTime): string {
  const today = live && RISK_TIMES[range].seconds <= DAY_SECONDS;
  return today ? formatClock(iso, "utc").slice(0, 5) : formatDay(iso, "utc", to);
}
