"use client";

import { useZone } from "@/components/ui/values/use-zone";
import { bucketMs } from "./axis";
import { TimeAxis } from "./time-axis";

export interface ZoneAxisProps {
  /** Start of each bucket, RFC 3339, in order; all as long as each other. */
  readonly times: readonly string[];
  readonly most: number;
  readonly className: string | undefined;
}

/** Round moments below columns of the same width, on the reader's clock. */
export function ZoneAxis({ times, most, className }: ZoneAxisProps) {
  const zone = useZone();
  const first = Date.parse(times[0] ?? "");
  const span = bucketMs(times) * Math.max(1, times.length);
  return <TimeAxis at={(iso) => ((Date.parse(iso) - first) / span) * 100} {...{ times, most, zone, className }} />;
}
