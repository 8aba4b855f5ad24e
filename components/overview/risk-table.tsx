import { ChartTable } from "@/components/charts/chart-table";
import { Time } from "@/components/ui/values/time";
import { RowsTable } from "@/components/table/rows-table";
import { displayMoney } from "@/domain/money";
import type { RiskSeries, RiskView } from "@/presentation/views/risk";
import { markWords } from "./risk-marks";
import styles from "./risk.module.css";

/** Rows at the most: the chart's points are thinned to these, each as it was at its moment. */
const ROWS = 60;

/** The chart in numbers: every currency and step of age, and the marks in their order. */
export function RiskTable({ risk }: { readonly risk: RiskView }) {
  const every = Math.ceil(risk.points.length / ROWS);
  const last = risk.points.length - 1;
  const rows = [...risk.points.keys()].filter((index) => (last - index) % every === 0);
  return (
    <>
      {risk.series.length > 0 && (
        <ChartTable
          label="Money at risk"
          times={rows.map((index) => risk.points[index] ?? "")}
          series={risk.series.flatMap((series) => columnsOf(series, rows))}
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
              Mark: { phone: "left", cell: (mark) => markWords(mark) },
            }}
          />
        </div>
      )}
    </>
  );
}

function columnsOf({ currency, steps }: RiskSeries, rows: readonly number[]) {
  return steps.map(({ label, minor, counts }) => ({
    id: `${currency} ${label}`,
    label: `${currency === "" ? "no amount" : currency}, ${label}`,
    values: rows.map((index) => counts[index] ?? 0),
    words: rows.map((index) => {
      const count = counts[index] ?? 0;
      if (count === 0) return "0";
      return currency === ""
        ? String(count)
        : `${displayMoney(BigInt(minor[index] ?? "0"), currency)} (${String(count)})`;
    }),
  }));
}
