"use client";

import { TimeAxis } from "@/components/charts/time-axis";
import { useZone } from "@/components/ui/values/use-zone";
import styles from "./risk.module.css";

/** Labels of the axis at the most: with their days, whole on a screen of 1024. */
const LABELS = 6;

export function RiskAxis({ from, to }: { readonly from: string; readonly to: string }) {
  const zone = useZone();
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const at = (iso: string): number => ((Date.parse(iso) - first) / Math.max(1, last - first)) * 100;
  return <TimeAxis className={styles["times"]} times={[from, to]} most={LABELS} at={at} zone={zone} />;
}
