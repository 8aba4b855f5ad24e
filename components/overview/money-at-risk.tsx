import type { CSSProperties } from "react";
import { RANGE_SHORT } from "@/components/charts/range-links";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { AGE_STEPS, DEFAULT_RISK_RANGE, RISK_RANGES, RISK_TIMES, type RiskRange } from "@/domain/metrics/risk";
import { formatDuration } from "@/presentation/format/display-time";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { RiskSeries, RiskView } from "@/presentation/views/risk";
import { RiskAxis } from "./risk-axis";
import { RiskBrush } from "./risk-brush";
import { riskLayout, placeMarks, UNITS, type RiskLayout } from "./risk-layout";
import { RiskMarks } from "./risk-marks";
import { RiskTable } from "./risk-table";
import styles from "./risk.module.css";

const SHORT: Readonly<Record<RiskRange, string>> = { ...RANGE_SHORT, "2h": "2 h", "3d": "3 d", "7d": "7 d" };
/** A longer chart is drawn whole on a phone, a shorter one its last hour. */
const DAY = 86_400;
/** Currencies that have a link; the table has all of them. */
const CURRENCIES = 6;

export interface MoneyAtRiskProps {
  readonly risk: RiskView;
  readonly address: PageAddress;
  readonly asTable: boolean;
}

/** What was in doubt over time, by how long; what was done meanwhile stands above it. */
export function MoneyAtRisk({ risk, address, asTable }: MoneyAtRiskProps) {
  const { shown, none, notes, time } = risk;
  const step = formatDuration(time.stepSeconds * 1_000).replace(/\.\d+/, "");
  const unit = shown === undefined || shown.currency === "" ? "operations" : shown.currency;
  return (
    <Section
      title="Money at risk"
      id="risk"
      space="none"
      note={
        <>
          {none === undefined && `${unit} in doubt by age, highest per ${step}`}
          {none === undefined && RISK_TIMES[time.range].seconds <= DAY && <span className={styles["lastHour"]} />}
        </>
      }
      right={
        <>
          <Currencies risk={risk} address={address} />
          <Ranges current={time.range} address={address} />
          <Link href={hrefWith(address, { table: asTable ? undefined : "risk" })} scroll={false}>
            {asTable ? "as a chart" : "as a table"}
          </Link>
        </>
      }
    >
      {none !== undefined && <p className={styles["none"]}>{none}</p>}
      {asTable ? (
        <RiskTable risk={risk} />
      ) : (
        shown !== undefined && <Chart risk={risk} series={shown} layout={riskLayout(risk, shown)} address={address} />
      )}
      {notes.length > 0 && <p className="note">{notes.join(" ")}</p>}
    </Section>
  );
}

function Ranges({ current, address }: { readonly current: RiskRange; readonly address: PageAddress }) {
  return (
    <span className={styles["ranges"]} role="group" aria-label="Time of money at risk">
      {RISK_RANGES.map((range) => (
        <Link
          key={range}
          href={hrefWith(address, {
            risk: range === DEFAULT_RISK_RANGE ? undefined : range,
            from: undefined,
            to: undefined,
          })}
          scroll={false}
          data-plain
          aria-current={range === current ? "true" : undefined}
        >
          {SHORT[range]}
        </Link>
      ))}
    </span>
  );
}

/** Amounts of several currencies are never added up: each has its own chart. */
function Currencies({ risk, address }: Pick<MoneyAtRiskProps, "risk" | "address">) {
  const named = risk.series.filter(({ currency }) => currency !== "").slice(0, CURRENCIES);
  if (named.length < 2) return null;
  return (
    <span className={styles["ranges"]} role="group" aria-label="Currency">
      {named.map(({ currency }) => (
        <Link
          key={currency}
          href={hrefWith(address, { currency })}
          scroll={false}
          data-plain
          aria-current={currency === risk.shown?.currency ? "true" : undefined}
        >
          {currency}
        </Link>
      ))}
    </span>
  );
}

interface ChartProps {
  readonly risk: RiskView;
  readonly series: RiskSeries;
  readonly layout: RiskLayout;
  readonly address: PageAddress;
}

function Chart({ risk, series, layout, address }: ChartProps) {
  const { time, window } = risk;
  const { seconds } = RISK_TIMES[time.range];
  const hours = seconds <= DAY ? seconds / 3_600 : 1;
  const marks = placeMarks(risk.marks, time);
  return (
    <>
      <figure className={styles["chart"]} aria-label="Money at risk" aria-description={risk.spoken}>
        <div className={styles["amounts"]} aria-hidden>
          {layout.ticks.map(({ y, label }) => (
            <span key={label} style={{ top: `${y.toFixed(2)}%` }}>
              {label}
            </span>
          ))}
        </div>
        <div className={styles["frame"]}>
          <div className={styles["plot"]} style={{ "--hours": hours } as CSSProperties}>
            <RiskMarks marks={marks} time={time} address={address} />
            <div className={styles["area"]}>
              <svg viewBox={`0 0 ${String(UNITS)} ${String(UNITS)}`} preserveAspectRatio="none" aria-hidden>
                {layout.ticks.map(({ y, label }) => (
                  <path key={label} className={styles["grid"]} d={`M0 ${(y * 10).toFixed(1)}H${String(UNITS)}`} />
                ))}
                {layout.gap > 0 && <rect className={styles["gap"]} width={layout.gap} height={UNITS} />}
                {layout.areas.map(({ step, path }) => (
                  <path key={step} className={styles["step"]} data-step={step} d={path} />
                ))}
                <path className={styles["top"]} d={layout.top} />
                {marks.map(({ mark, x }) =>
                  mark.kind === "incident" ? null : (
                    <path key={mark.id} className={styles["down"]} d={`M${(x * 10).toFixed(1)} 0V${String(UNITS)}`} />
                  ),
                )}
              </svg>
              {layout.gap > 0 && (
                <span className={styles["gapWord"]} style={{ width: `${(layout.gap / 10).toFixed(2)}%` }} aria-hidden>
                  no data
                </span>
              )}
              <RiskBrush time={time} window={window} />
            </div>
            <RiskAxis from={time.from} to={time.to} hours={hours} />
          </div>
        </div>
        <End risk={risk} series={series} />
      </figure>
      <Legend />
    </>
  );
}

function End({ risk: { end, time } }: Pick<ChartProps, "risk" | "series">) {
  const when = time.live ? "now" : "at the end";
  if (end === undefined) return <div className={styles["end"]}>nothing in doubt {when}</div>;
  return (
    <div className={styles["end"]}>
      {end.money !== undefined && <b>{end.money.display}</b>}
      <span className="ink">
        {end.operations}, {when}
      </span>
      <span>{end.age}</span>
    </div>
  );
}

function Legend() {
  return (
    <div className={styles["legend"]}>
      {AGE_STEPS.map(({ label }, step) => (
        <span key={label}>
          <i data-step={step} />
          {label}
        </span>
      ))}
      <span className={styles["signs"]}>
        <span>
          <i data-mark="deploy" />
          deploy
        </span>
        <span>
          <i data-mark="policy" />
          policy
        </span>
        <span>
          <i data-mark="pause" />
          pause or stop
        </span>
        <span>
          <i data-mark="incident" />
          incident
        </span>
      </span>
    </div>
  );
}
