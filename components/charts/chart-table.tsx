"use client";

import { Link } from "@/components/ui/link";
import { useZone } from "@/components/ui/values/use-zone";
import { bucketText, spanOf, spokenValue } from "./axis";
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
          {foldGaps(times, series).map(({ first, last }) =>
            first < last ? (
              <tr key={times[first]}>
                <th scope="row">
                  {bucketText(times[first] ?? "", times, zone)} to{" "}
                  {bucketText(spanOf(times, first, last).to, times, zone)}
                </th>
                <td colSpan={series.length}>{spokenValue(null, series[0]?.unit)}</td>
              </tr>
            ) : (
              <tr key={times[first]}>
                <th scope="row">{bucketText(times[first] ?? "", times, zone)}</th>
                {series.map((one) => (
                  <td key={one.id}>
                    <Cell href={(one.values[first] ?? 0) === 0 ? undefined : one.href?.(first)}>
                      {one.words?.[first] ?? spokenValue(one.values[first], one.unit)}
                    </Cell>
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

interface Row {
  readonly first: number;
  readonly last: number;
}

/** A row for each bucket; those in a row of which there is nothing to say are one. */
function foldGaps(times: readonly string[], series: ChartTableProps["series"]): readonly Row[] {
  const rows: Row[] = [];
  let gap = false;
  for (const index of times.keys()) {
    const empty = series.every(({ values }) => (values[index] ?? null) === null);
    const before = rows.at(-1);
    if (empty && gap && before !== undefined) rows[rows.length - 1] = { first: before.first, last: index };
    else rows.push({ first: index, last: index });
    gap = empty;
  }
  return rows;
}

/** Nothing happened, or nobody knows: there is nothing to open. */
function Cell({ href, children }: { readonly href: string | undefined; readonly children: string }) {
  if (href === undefined) return children;
  return <Link href={href}>{children}</Link>;
}
