import { ChartTable } from "@/components/charts/chart-table";
import { Time } from "@/components/ui/values/time";
import { RowsTable } from "@/components/table/rows-table";
import { displayMoney } from "@/domain/money";
import type { RiskSeries, RiskView } from "@/presentation/views/risk";
import { markWords } from "./risk-marks";
import styles from "./risk.module.css";

/** Rows at the most: each has the most of its steps, the last one the end. */
const ROWS = 60;

/** The chart in numbers: every currency and step of age, and the marks in their order. */
export function RiskTable({ risk }: { readonly risk: RiskView }) {
  const { points, unknown } = risk;
  const last = points.length - 1;
  const every = Math.ceil(last / ROWS);
  const rows = [...points.keys()].filter((index) => index === last || index % every === 0);
  return (
    <>
      {risk.series.length > 0 && (
        <ChartTable
          label="Money at risk"
          times={rows.map((index) => points[index] ?? "")}
          series={risk.series.flatMap((series) => columnsOf(series, rows, unknown))}
        />
      )}
      {risk.marks.length > 0 && (
        <div className={styles["markTable"]}>
          <RowsTable
            label="Marks"
            rows={risk.marks}
            rowId={(mark) => mark.id}
            columns={{
              Time: { phone: "left", cell: (mark) => <Time at={mark.at} now={risk.at} form="day" /> },
              Mark: { phone: "left", cell: (mark) => markWords(mark, risk.time) },
            }}
          />
        </div>
      )}
    </>
  );
}

function columnsOf(series: RiskSeries, rows: readonly number[], unknown: number) {
  const { currency, steps } = series;
  const places = rows.map((index, row) => (index < unknown ? undefined : highest(series, index, rows[row + 1])));
  return steps.map(({ label, minor, counts }) => ({
    id: `${currency} ${label}`,
    label: `${currency === "" ? "no amount" : currency}, ${label}`,
    values: places.map((index) => (index === undefined ? null : (counts[index] ?? 0))),
    words: places.map((index) => {
      if (index === undefined) return "no data";
      const count = counts[index] ?? 0;
      if (count === 0) return "0";
      return currency === ""
        ? String(count)
        : `${displayMoney(BigInt(minor[index] ?? "0"), currency)} (${String(count)})`;
    }),
  }));
}

/** The step of a row at which most was in doubt. @param until the first of the next row */
function highest({ currency, totals, counts }: RiskSeries, from: number, until = from + 1): number {
  const at = (index: number): bigint => (currency === "" ? BigInt(counts[index] ?? 0) : BigInt(totals[index] ?? "0"));
  let best = from;
  for (let index = from + 1; index < until; index += 1) if (at(index) > at(best)) best = index;
  return best;
}
