import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { bucketMs } from "@/components/charts/axis";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatDuration } from "@/presentation/format/display-time";
import type { FilterProblem } from "@/presentation/filters/search";
import { metricsVerdict } from "@/presentation/metrics/metrics-verdict";
import { hrefWith, type PageAddress, pageParam } from "@/presentation/list/page-address";
import type {
  MeasureChart as Chart,
  MeasureSection,
  MetricsView,
  MetricsView as Metrics,
} from "@/presentation/views/metrics";
import { METRIC_RANGES, movedWindow } from "@/domain/metrics/chart-window";
import { withoutMilliseconds } from "@/presentation/metrics/measure-links";
import { RangeLinks } from "@/components/charts/range-links";
import { METRIC_GROUPS, type MetricFilters } from "@/domain/lists/filters";
import { RangeForm } from "@/components/ui/time/range-form";
import type { ListFacts } from "@/components/views/list-tools";
import { PageViews } from "@/components/views/views-menu";
import { MeasureChart } from "./measure-chart";
import { chartNames } from "./measure-style";
import styles from "./metrics.module.css";

export interface MetricsViewProps {
  readonly view: Metrics;
  readonly filters: MetricFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
  readonly facts: ListFacts;
}

const SECTIONS: readonly { readonly name: MeasureSection; readonly title: string }[] = [
  { name: "answers", title: "Responses" },
  { name: "times", title: "Latency" },
  { name: "waiting", title: "Backlog" },
];

/** The same facts as another page draws them. */
const ELSEWHERE: Readonly<Partial<Record<MeasureSection, ReactNode>>> = {
  answers: <Link href="/metrics/clients">clients by time</Link>,
  times: <Link href="/metrics/clients#first-answer">as a distribution</Link>,
};

/** How keys and messages did over time: every chart from roll-ups, with its time, its list and its table. */
export function MetricsView({ view, filters, problems, address, facts }: MetricsViewProps) {
  const clauses = metricsVerdict(view);
  return (
    <>
      <PageHead lede={<Lede view={view} />} verdict={clauses.length === 0 ? undefined : clauses}>
        {clauses.length === 0 && <PageTitle>Metrics</PageTitle>}
      </PageHead>
      <MetricTools {...{ view, filters, address, facts }} />
      {problems.map((problem) => (
        <p key={problem.name} className={styles["problem"]} role="status">
          Left out: {problem.name}, {problem.detail}.
        </p>
      ))}
      {view.rolledUpMs === undefined ? (
        <Section title="Nothing to draw yet">
          <p className={styles["none"]}>
            No minute has been rolled up. The worker does that once a minute; the loop is called roll-up on the{" "}
            <Link href="/">overview</Link>.
          </p>
        </Section>
      ) : (
        SECTIONS.map((section) => (
          <Section
            key={section.name}
            title={section.title}
            note={section.name === "waiting" && view.group !== undefined ? `not kept by ${view.group}` : undefined}
            right={ELSEWHERE[section.name]}
          >
            <Charts charts={view.charts.filter((chart) => chart.section === section.name)} {...{ view, address }} />
          </Section>
        ))
      )}
      <Section title="For tools beside the console">
        <p className={styles["prometheus"]}>
          <code>GET /api/metrics</code> has the same facts for Prometheus, over all tenants and without names of
          clients. No key is needed. Metrics, labels and alert rules are described in <code>docs/OBSERVABILITY.md</code>{" "}
          and <code>docs/alerts.yml</code>; the thresholds drawn here are those of the alerts. As JSON, this page is{" "}
          <code>GET /api/v1/admin/metrics</code>.
        </p>
      </Section>
    </>
  );
}

interface ChartsProps extends Pick<MetricsViewProps, "view" | "address"> {
  readonly charts: readonly Chart[];
}

/** The charts of a section; that none of them has a line is said once. */
function Charts({ charts, view, address }: ChartsProps) {
  const table = pageParam(address, "table");
  if (charts.every(({ series }) => series.length === 0))
    return <p className={styles["none"]}>No answer is in the roll-ups of this time.</p>;
  return (
    <div className={styles["grid"]}>
      {charts.map((chart) => (
        <MeasureChart
          key={chartNames(chart).id}
          chart={chart}
          times={view.times}
          group={view.group}
          address={address}
          asTable={table === chartNames(chart).id || table === "true"}
        />
      ))}
    </div>
  );
}

function Lede({ view }: { readonly view: Metrics }) {
  const { window, unmeasured, measuredFrom, fitted, rolledUpMs, at } = view;
  return (
    <>
      <Time at={window.from} now={at} form="day" /> to <Time at={window.to < at ? window.to : at} now={at} form="day" />
      , one point per {formatDuration(bucketMs(view.times))}. {fitted === true && "No data before that. "}
      {unmeasured > 0 &&
        (measuredFrom === undefined ? (
          `No data for ${String(unmeasured)} of ${String(window.buckets)} points. `
        ) : (
          <>
            No data before <Time at={measuredFrom} now={at} form="day" />.{" "}
          </>
        ))}
      {rolledUpMs !== undefined && (
        <>
          Rolled up <Time at={new Date(Date.parse(at) - rolledUpMs).toISOString()} now={at} form="ago" />.
        </>
      )}
    </>
  );
}

type MetricToolsProps = Omit<MetricsViewProps, "problems">;

const MOVES = [
  { label: "Earlier", by: -0.5, stretch: 1 },
  { label: "Later", by: 0.5, stretch: 1 },
  { label: "Zoom in", by: 0, stretch: 0.5 },
  { label: "Zoom out", by: 0, stretch: 2 },
];

/** Time and grouping, as links and a form without scripts: each leads to an address of its own. */
function MetricTools({ view, filters, address, facts }: MetricToolsProps) {
  const custom = filters.from !== undefined || filters.to !== undefined;
  const moved = (by: number, stretch: number): string => {
    const { from, to } = movedWindow(view.window, by, stretch);
    return hrefWith(address, { range: undefined, from: withoutMilliseconds(from), to: withoutMilliseconds(to) });
  };
  return (
    <div className={styles["tools"]}>
      <RangeLinks
        ranges={METRIC_RANGES}
        current={custom || view.fitted === true ? undefined : filters.range}
        href={(range) => hrefWith(address, { range, from: undefined, to: undefined })}
      />
      <span className={styles["set"]} role="group" aria-label="Move the time">
        {MOVES.map(({ label, by, stretch }) => (
          <Link key={label} href={moved(by, stretch)} scroll={false} data-plain>
            {label}
          </Link>
        ))}
      </span>
      <span className={styles["set"]} role="group" aria-label="Group by">
        <i>Group</i>
        {[undefined, ...METRIC_GROUPS].map((group) => (
          <Link
            key={group ?? "none"}
            href={hrefWith(address, { group })}
            scroll={false}
            data-plain
            aria-current={group === filters.group ? "true" : undefined}
          >
            {group ?? "none"}
          </Link>
        ))}
      </span>
      {/* A new form for a new time: fields keep what stood in them. */}
      <RangeForm
        key={`${view.window.from} ${view.window.to}`}
        action={address.path}
        kept={filters.group === undefined ? [] : [{ name: "group", value: filters.group }]}
        place={JSON.stringify([filters.range, filters.from, filters.to])}
        from={view.window.from}
        to={view.window.to}
      />
      <PageViews facts={facts} address={address} />
    </div>
  );
}
