import Link from "next/link";
import { bucketMs } from "@/components/charts/axis";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { formatDuration } from "@/presentation/format/display-time";
import type { MetricFilters } from "@/presentation/filters/metrics";
import type { FilterProblem } from "@/presentation/filters/search";
import { metricsVerdict } from "@/presentation/metrics/metrics-verdict";
import { pageParam, type PageAddress } from "@/presentation/list/page-address";
import type { MeasureSection, MetricsView as Metrics } from "@/presentation/views/metrics";
import { MeasureChart } from "./measure-chart";
import { chartNames } from "./measure-style";
import { MetricTools } from "./metric-tools";
import styles from "./metrics.module.css";

export interface MetricsViewProps {
  readonly view: Metrics;
  readonly filters: MetricFilters;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
}

const SECTIONS: readonly { readonly name: MeasureSection; readonly title: string }[] = [
  { name: "answers", title: "What callers were told" },
  { name: "times", title: "How long it took" },
  { name: "waiting", title: "What waited" },
];

/** How keys and messages did over time: every chart from roll-ups, with its time, its list and its table. */
export function MetricsView({ view, filters, problems, address }: MetricsViewProps) {
  const table = pageParam(address, "table");
  const clauses = metricsVerdict(view);
  return (
    <>
      <PageHead lede={<Lede view={view} />}>
        {clauses.length === 0 ? <PageTitle>Metrics</PageTitle> : <Verdict clauses={clauses} />}
      </PageHead>
      <MetricTools view={view} filters={filters} address={address} />
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
          >
            <div className={styles["grid"]}>
              {view.charts
                .filter((chart) => chart.section === section.name)
                .map((chart) => (
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

function Lede({ view }: { readonly view: Metrics }) {
  const { window, unmeasured, rolledUpMs, at } = view;
  return (
    <>
      <Time at={window.from} now={at} form="day" /> to <Time at={window.to < at ? window.to : at} now={at} form="day" />
      , one point per {formatDuration(bucketMs(view.times))}
      {unmeasured > 0 &&
        `; ${String(unmeasured)} of ${String(window.buckets)} points were never rolled up and are gaps`}
      .{" "}
      {rolledUpMs !== undefined && (
        <>
          Rolled up <Time at={new Date(Date.parse(at) - rolledUpMs).toISOString()} now={at} form="ago" />.
        </>
      )}
    </>
  );
}
