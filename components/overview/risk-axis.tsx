"use client";

import { TimeAxis } from "@/components/charts/time-axis";
import { useZone } from "@/components/ui/values/use-zone";
import styles from "./risk.module.css";

/** Labels of the axis at the most: with their days, whole on a screen of 1024. */
const LABELS = 6;

/** Half of a label, per cent of what a phone shows. */
const HALF_LABEL = 6;

export interface RiskAxisProps {
  readonly from: string;
  readonly to: string;
  /** Widths of a phone that the chart has: the last of them is in sight. */
  readonly hours: number;
}

export function RiskAxis({ from, to, hours }: RiskAxisProps) {
  const zone = useZone();
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const at = (iso: string): number => ((Date.parse(iso) - first) / Math.max(1, last - first)) * 100;
  return (
    <TimeAxis
      className={styles["times"]}
      times={[from, to]}
      most={LABELS}
      at={at}
      zone={zone}
      phoneFrom={hours > 1 ? 100 - (100 - HALF_LABEL) / hours : 0}
    />
  );
}
