import { ChartTable } from "@/components/charts/chart-table";
import { bucketMs } from "@/components/charts/axis";
import { ZoneAxis } from "@/components/charts/zone-axis";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { NO_ANSWER_BIN } from "@/domain/metrics/bins";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import { plural } from "@/presentation/format/words";
import { hrefWith, type PageAddress, pageParam } from "@/presentation/list/page-address";
import {
  binLabel,
  distributionWords,
  limitText,
  placeAmongBins,
  shadeOf,
  timedCount,
} from "@/presentation/metrics/distribution";
import type { DistributionView } from "@/presentation/views/heatmap";
import styles from "./distribution.module.css";

export interface DistributionProps {
  readonly view: DistributionView;
  readonly address: PageAddress;
}

const ROW = 20;
const LABELS = 7;
const PHONE_LABELS = 3;
/** Part of its slot that a mark fills. */
const FILLED = 0.94;
const HEADS = {
  first_answer: {
    id: "first-answer",
    title: "First answer",
    note: "how long it took",
    unit: "answer",
  },
  retry_delay: {
    id: "retry-delay",
    title: "Retry delay",
    note: "from one request to the next of the same client and key",
    unit: "retry",
  },
} as const;
const SHADES = ["under 0.5 %", "0.5 %", "2 %", "5 %", "10 %", "25 % and more"];

/** How a time was distributed, column by column: a stronger shade is a larger share of its column. */
export function Distribution({ view, address }: DistributionProps) {
  const { measure, times, totals, window } = view;
  const { id, title, note, unit } = HEADS[measure];
  const asTable = pageParam(address, "table") === id;
  const total = timedCount(view);
  return (
    <Section
      id={id}
      title={title}
      note={`${note}, ${formatDuration(window.bucketSeconds * 1_000)} a column; a stronger shade is a larger share of its column`}
      right={
        <>
          {plural(total, unit, unit === "retry" ? "retries" : undefined)} ·{" "}
          <Link href={hrefWith(address, { table: asTable ? undefined : id })} scroll={false}>
            {asTable ? "as a chart" : "as a table"}
          </Link>
        </>
      }
    >
      {asTable ? (
        <ChartTable
          label={`${title} as a table`}
          times={times}
          series={binsOf(view).map((bin) => ({
            id: String(bin),
            label: binLabel(measure, bin),
            values: view.columns.map((column) => column?.[bin] ?? null),
          }))}
        />
      ) : (
        totals.some((count) => count > 0) && <Drawn view={view} title={title} />
      )}
      <p className={styles["words"]}>
        {distributionWords(view)}
        {measure === "first_answer" && total > 0 && (
          <>
            {" "}
            A p95 on Metrics is the highest of one client and operation in a minute or hour, so it can lie above these
            limits.
          </>
        )}
      </p>
    </Section>
  );
}

/** From the top: what was never answered, then the longest. */
function binsOf({ totals }: DistributionView): readonly number[] {
  return totals.map((_, bin) => totals.length - 1 - bin);
}

function Drawn({ view, title }: { readonly view: DistributionView; readonly title: string }) {
  const { measure, totals, times } = view;
  const bins = binsOf(view);
  const total = timedCount(view);
  const never = (bin: number) => measure === "first_answer" && bin === NO_ANSWER_BIN;
  const largest = Math.max(1, ...bins.filter((bin) => !never(bin)).map((bin) => totals[bin] ?? 0));
  const share = (bin: number) => ((totals[bin] ?? 0) / Math.max(1, total)) * 100;
  return (
    <>
      <div className={styles["drawn"]} style={{ height: `${String(bins.length * ROW + ROW)}px` }}>
        <ul className={styles["labels"]} aria-hidden>
          {bins.map((bin) => (
            <li key={bin} data-never={(never(bin) && (totals[bin] ?? 0) > 0) || undefined}>
              {binLabel(measure, bin)}
            </li>
          ))}
        </ul>
        <div className={styles["plot"]}>
          <svg
            role="img"
            aria-label={`${title}, ${formatDuration(bucketMs(times))} a column. ${distributionWords(view)}`}
            viewBox={`0 0 ${String(times.length)} ${String(bins.length)}`}
            preserveAspectRatio="none"
            width="100%"
            height={bins.length * ROW}
          >
            {view.columns.map((column, index) => (
              <Column key={times[index]} {...{ column, index, bins }} never={never} />
            ))}
          </svg>
          <Limit view={view} rows={bins.length} />
          <ZoneAxis times={times} most={LABELS} className={styles["axis"]} />
          <ZoneAxis times={times} most={PHONE_LABELS} className={styles["phoneAxis"]} />
        </div>
        <ul className={styles["shares"]} aria-label="Share over the whole time">
          {bins.map((bin) => (
            <li key={bin} data-never={(never(bin) && (totals[bin] ?? 0) > 0) || undefined}>
              <span className="spoken">{binLabel(measure, bin)}: </span>
              <i
                style={{
                  width: `${(never(bin) ? 2 : ((totals[bin] ?? 0) / largest) * 100).toFixed(1)}%`,
                  visibility: (totals[bin] ?? 0) === 0 ? "hidden" : undefined,
                }}
              />
              <b>{never(bin) ? formatCount(totals[bin] ?? 0) : shareText(share(bin), totals[bin] ?? 0)}</b>
            </li>
          ))}
        </ul>
      </div>
      <ul className={styles["legend"]}>
        {SHADES.map((shade, index) => (
          <li key={shade}>
            <i data-shade={index + 1} />
            {shade}
          </li>
        ))}
        {measure === "first_answer" && (
          <li>
            <i data-shade="never" />
            no answer: outcome unknown
          </li>
        )}
      </ul>
    </>
  );
}

/** Where the provider's limit lies among the bins; the sentence below says what it is, also where it lies beyond them. */
function Limit({
  view: { measure, providerLimitMs },
  rows,
}: {
  readonly view: DistributionView;
  readonly rows: number;
}) {
  const place = providerLimitMs === undefined ? undefined : placeAmongBins(measure, providerLimitMs);
  if (providerLimitMs === undefined || place === undefined) return null;
  return (
    <span className={styles["limit"]} style={{ top: `${String(Math.round((rows - place) * ROW))}px` }} aria-hidden>
      <b>limit {limitText(providerLimitMs)}</b>
    </span>
  );
}

interface ColumnProps {
  readonly column: readonly number[] | null;
  readonly index: number;
  readonly bins: readonly number[];
  readonly never: (bin: number) => boolean;
}

/** The marks of a column; one without bins has none, and its slot is struck. */
function Column({ column, index, bins, never }: ColumnProps) {
  if (column === null) return <rect x={index} y={0} width={1} height={bins.length} className={styles["gap"]} />;
  const total = bins.reduce((sum, bin) => sum + (never(bin) ? 0 : (column[bin] ?? 0)), 0);
  return bins.flatMap((bin, row) => {
    const count = column[bin] ?? 0;
    if (count === 0) return [];
    const shade = never(bin) ? "never" : shadeOf(count, total);
    return [<rect key={bin} x={index} y={row} width={FILLED} height={FILLED} data-shade={shade} />];
  });
}

function shareText(share: number, count: number): string {
  if (count === 0) return "–";
  return share < 0.1 ? "under 0.1 %" : `${share < 1 ? share.toFixed(1) : String(Math.round(share))} %`;
}
