import { Link } from "@/components/ui/link";
import type { CSSProperties, ReactNode } from "react";
import { Glyph } from "@/components/ui/values/glyph";
import { cutMiddle } from "@/presentation/format/cut-middle";
import { plural } from "@/presentation/format/words";
import type {
  DrawnLane,
  DrawnMark,
  LineKind,
  ReferenceChart,
  ReferenceLane,
  ReferenceView,
} from "@/presentation/views/references";
import styles from "./reference-chart.module.css";

/** Heights of a lane; many lanes stand closer. */
const LANE = 64;
const CLOSE_LANE = 48;
const MANY = 8;
const GLYPH = 16;

/** Keys, refunds, webhooks and ledger as lanes on one time axis. A line down to the ledger is money that moved. */
export function ReferenceChartView({ view }: { readonly view: Pick<ReferenceView, "chart" | "lanes"> }) {
  const { chart } = view;
  const height = chart.lanes.length > MANY ? CLOSE_LANE : LANE;
  const lanes = chart.lanes.flatMap((drawn) => {
    const lane = view.lanes.find(({ id }) => id === drawn.lane);
    return lane === undefined ? [] : [{ lane, drawn }];
  });
  const top = (index: number): number => index * height + height / 2;
  const ledger = top(lanes.length);
  return (
    <figure
      className={styles["chart"]}
      role="group"
      aria-label="Keys to ledger"
      aria-description={chart.spoken}
      style={{ "--lane": px(height) } as CSSProperties}
    >
      <Axis chart={chart} />
      <div className={styles["body"]}>
        <svg className={styles["lines"]} width="100%" height={ledger + height / 2} aria-hidden>
          {chart.ticks.map(({ x }) => (
            <line key={x} x1={percent(x)} x2={percent(x)} y1={0} y2={ledger} className={styles["grid"]} />
          ))}
          {[...lanes.map((_, index) => top(index)), ledger].map((y, index) => (
            <LaneLine key={y} y={y} chart={chart} ledger={index === lanes.length} />
          ))}
          {lanes.flatMap(({ drawn }, index) =>
            drawn.lines.map(({ x, kind }) => (
              <Down key={`${drawn.lane} ${String(x)}`} x={x} kind={kind} from={top(index)} to={ledger} />
            )),
          )}
          {lanes.map(({ drawn: { lane, end } }, index) =>
            end === undefined ? null : <End key={lane} x={end.x} y={top(index)} />,
          )}
          {chart.breakAt !== undefined && <Break {...chart.breakAt} bottom={ledger + 12} />}
        </svg>
        <ol className={styles["lanes"]}>
          {lanes.map(({ lane, drawn }) => (
            <Lane key={lane.id} lane={lane} drawn={drawn} />
          ))}
          <Ledger ledger={chart.ledger} />
        </ol>
      </div>
      {chart.folded > 0 && (
        <figcaption className="note">
          {plural(chart.folded, "more lane")} that moved no money {chart.folded === 1 ? "is" : "are"} not drawn:{" "}
          <a href="#keys">the table has all of them</a>.
        </figcaption>
      )}
    </figure>
  );
}

function Axis({ chart }: { readonly chart: ReferenceChart }) {
  return (
    <div className={styles["axis"]} aria-hidden>
      <div>
        {chart.ticks.map(({ x, label }) => (
          <span key={x} style={{ left: percent(x) }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

function LaneLine({
  y,
  chart,
  ledger,
}: {
  readonly y: number;
  readonly chart: ReferenceChart;
  readonly ledger: boolean;
}) {
  const { breakAt } = chart;
  const look = { y1: y, y2: y, className: styles[ledger ? "ledgerLine" : "laneLine"] };
  if (breakAt === undefined) return <line x1="0" x2="100%" {...look} />;
  return (
    <>
      <line x1="0" x2={percent(breakAt.x)} {...look} />
      <line x1={percent(breakAt.x + breakAt.width)} x2="100%" {...look} />
    </>
  );
}

/** Where time is left out. */
function Break({ x, width, bottom }: { readonly x: number; readonly width: number; readonly bottom: number }) {
  return [0, 1].map((side) => {
    const at = x + width * (0.35 + 0.3 * side);
    return (
      <line key={side} x1={percent(at + 0.4)} x2={percent(at - 0.4)} y1={0} y2={bottom} className={styles["break"]} />
    );
  });
}

/** The way from a mark to the ledger line. One that the ledger has not posted stops before it. */
function Down({
  x,
  kind,
  from,
  to,
}: {
  readonly x: number;
  readonly kind: LineKind;
  readonly from: number;
  readonly to: number;
}) {
  const stop = kind === "open" || kind === "by_hand" || kind === "doubt" ? to - GLYPH : to;
  const at = percent(x);
  return (
    <g className={styles["down"]} data-kind={kind}>
      <line x1={at} x2={at} y1={from} y2={stop} />
      {stop < to && <Cap x={x} y={stop} />}
    </g>
  );
}

function End({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <g className={styles["end"]}>
      <line x1={percent(x)} x2={percent(x)} y1={y} y2={y + 22} />
      <Cap x={x} y={y + 22} />
    </g>
  );
}

/** A short bar across the end of a line; its width is in pixels, its place in per cent. */
function Cap({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <svg x={percent(x)} y={y} width="1" height="1" overflow="visible">
      <line x1={-6} x2={6} y1={0} y2={0} className={styles["cap"]} />
    </svg>
  );
}

function Lane({ lane, drawn }: { readonly lane: ReferenceLane; readonly drawn: DrawnLane }) {
  const name = <b className="bold">{lane.name}</b>;
  return (
    <li className={styles["lane"]} aria-label={lane.spoken}>
      <div className={styles["name"]}>
        {lane.href === undefined ? (
          name
        ) : (
          <Link href={lane.href} data-plain>
            {name}
          </Link>
        )}
        <span className={lane.kind === "webhooks" ? "note" : styles["key"]} title={lane.detail}>
          {lane.kind === "webhooks" ? lane.detail : cutMiddle(lane.detail)}
        </span>
      </div>
      <div className={styles["track"]}>
        {drawn.marks.map((mark) => (
          <Mark key={mark.id} mark={mark} />
        ))}
        {drawn.end !== undefined && (
          <span className={styles["ends"]} style={{ left: percent(drawn.end.x) }}>
            {drawn.end.text}
          </span>
        )}
        {drawn.more > 0 && (
          <span className={styles["more"]} style={{ left: percent(drawn.marks.at(-1)?.x ?? 0) }}>
            +{drawn.more}
          </span>
        )}
      </div>
      <Result text={lane.result.text} tone={lane.result.tone} strong={lane.result.strong} note={lane.note} />
    </li>
  );
}

interface ResultProps {
  readonly text: ReactNode;
  readonly note: string;
  readonly strong: boolean;
  readonly tone?: string | undefined;
}

function Result({ text, note, strong, tone = "ink" }: ResultProps) {
  return (
    <div className={styles["result"]}>
      <span className={strong ? "bold" : undefined} data-tone={tone}>
        {text}
      </span>
      <span className="note">{note}</span>
    </div>
  );
}

/** A link where its row has a page; its words are its name. */
function Mark({ mark: { x, glyph, tone, href, spoken } }: { readonly mark: DrawnMark }) {
  const look = { className: styles["mark"], style: { left: percent(x) }, title: spoken };
  const drawn = <Glyph name={glyph} tone={tone} size={GLYPH} />;
  if (href === undefined)
    return (
      <span {...look} role="img" aria-label={spoken}>
        {drawn}
      </span>
    );
  return (
    <Link {...look} href={href} data-plain aria-label={spoken}>
      {drawn}
    </Link>
  );
}

function Ledger({ ledger }: { readonly ledger: ReferenceChart["ledger"] }) {
  return (
    <li className={styles["lane"]} aria-label={`Ledger: ${ledger.result}. ${ledger.note}.`}>
      <div className={styles["name"]}>
        <b className="bold">Ledger</b>
        <span className="note">merchant side</span>
      </div>
      <div className={styles["track"]}>
        {ledger.marks.map(({ id, x, text, labelled, side }) => (
          <span key={id}>
            <span
              className={styles["mark"]}
              style={{ left: percent(x) }}
              role="img"
              aria-label={`Ledger entry ${text}`}
            >
              <Glyph name="executed" size={GLYPH} />
            </span>
            {labelled && (
              <span
                className={styles["amount"]}
                data-side={side}
                style={side === "left" ? { right: percent(100 - x) } : { left: percent(x) }}
              >
                {text}
              </span>
            )}
          </span>
        ))}
      </div>
      <Result text={ledger.result} note={ledger.note} strong />
    </li>
  );
}

function percent(value: number): string {
  return `${value.toFixed(3)}%`;
}

function px(value: number): string {
  return `${String(value)}px`;
}
