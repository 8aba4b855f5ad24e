"use client";

import { Link } from "@/components/ui/link";
import { useZone } from "@/components/ui/values/use-zone";
import { bucketText, spokenValue } from "./axis";
import type { ChartUnit } from "./types";
import styles from "./sparklines.module.css";

export interface ChartTableProps {
  readonly label: string;
  readonly times: readonly string[];
  readonly series: readonly {
    readonly id: string;
    readonly label: string;
    readonly unit?: ChartUnit | undefined;
    readonly values: readonly (number | null)[];
    /** The same in words, where a number is not exact enough. */
    readonly words?: readonly string[] | undefined;
    readonly href?: ((index: number) => string) | undefined;
  }[];
}

export function ChartTable({ label, times, series }: ChartTableProps) {
  const zone = useZone();
  return (
    <div className={styles["scroll"]} tabIndex={0} role="region" aria-label={label}>
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map((one) => (
              <th key={one.id} scope="col">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, index) => (
            <tr key={at}>
              <th scope="row">{bucketText(at, times, zone)}</th>
              {series.map((one) => (
                <td key={one.id}>
                  <Cell href={(one.values[index] ?? 0) === 0 ? undefined : one.href?.(index)}>
                    {one.words?.[index] ?? spokenValue(one.values[index], one.unit)}
                  </Cell>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Nothing happened, or nobody knows: there is nothing to open. */
function Cell({ href, children }: { readonly href: string | undefined; readonly children: string }) {
  if (href === undefined) return children;
  return <Link href={href}>{children}</Link>;
}
