import { Link } from "@/components/ui/link";
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import { plural } from "@/presentation/format/words";
import type { LineKind, ReferenceEvent, ReferenceLane, ReferenceView } from "@/presentation/views/references";
import styles from "./upright-chart.module.css";

/** Width of all lanes together, px; more lanes stand closer. */
const WIDTH = 168;
const FIRST = 14;
const ROW = 44;
const GLYPH = 16;
/** Lanes that have room for their names above them. */
const NAMED = 4;
/** Rows that are drawn; the table has them all. */
const ROWS = 60;

/** The lanes upright, for the phone: time runs down, the ledger is at the right, words stand beside each mark. */
export function UprightChart({ view }: { readonly view: Pick<ReferenceView, "chart" | "lanes" | "events"> }) {
  const lanes = view.chart.lanes.flatMap(({ lane }) => view.lanes.find(({ id }) => id === lane) ?? []);
  const pitch = (WIDTH - FIRST) / lanes.length;
  const placeOf = (lane: string): number => FIRST + pitch * lanes.findIndex(({ id }) => id === lane);
  const events = view.events.filter(({ lane }) => lanes.some(({ id }) => id === lane));
  const rows = events.slice(0, ROWS);
  const height = rows.length * ROW;
  return (
    <figure className={styles["chart"]} role="group" aria-label="Keys to ledger, time runs down">
      <div className={styles["names"]} style={{ width: WIDTH + GLYPH }} aria-hidden>
        {lanes.map((lane) => (
          <span key={lane.id} style={{ left: placeOf(lane.id) }}>
            {shortName(lane, lanes.length)}
          </span>
        ))}
        <span style={{ left: WIDTH }} className="bold">
          {lanes.length > NAMED ? "L" : "Ledger"}
        </span>
      </div>
      <div className={styles["body"]}>
        <svg className={styles["lines"]} width={WIDTH + GLYPH} height={height} aria-hidden>
          {lanes.map(({ id }) => (
            <line key={id} x1={placeOf(id)} x2={placeOf(id)} y1={0} y2={height} className={styles["lane"]} />
          ))}
          <line x1={WIDTH} x2={WIDTH} y1={0} y2={height} className={styles["ledger"]} />
          {rows.map(({ id, lane, line }, index) =>
            line === undefined ? null : <Across key={id} from={placeOf(lane)} y={middle(index)} kind={line} />,
          )}
        </svg>
        <ol className={styles["rows"]}>
          {rows.map((event) => (
            <Row key={event.id} event={event} zone={view.chart.zone} x={placeOf(event.lane)} />
          ))}
        </ol>
      </div>
      {events.length > rows.length && (
        <figcaption className="note">
          {plural(events.length - rows.length, "more event")}, in the table below.
        </figcaption>
      )}
    </figure>
  );
}

function middle(index: number): number {
  return index * ROW + ROW / 2;
}

function Across({ from, y, kind }: { readonly from: number; readonly y: number; readonly kind: LineKind }) {
  const stop = kind === "solid" || kind === "confirms" ? WIDTH : WIDTH - GLYPH / 2;
  return <line x1={from} x2={stop} y1={y} y2={y} className={styles["across"]} data-kind={kind} />;
}

/** "Key 1" where there is room, otherwise "K1". */
function shortName({ name, kind }: ReferenceLane, lanes: number): string {
  if (lanes <= NAMED) return kind === "webhooks" ? "Hooks" : name;
  const [word = "", number = ""] = name.split(" ");
  return `${word.charAt(0)}${number}`;
}

interface RowProps {
  readonly event: ReferenceEvent;
  /** Word of the zone that times are in. */
  readonly zone: string;
  readonly x: number;
}

function Row({ event, zone, x }: RowProps) {
  const { glyph, tone, text, laneName, at, href } = event;
  const words = (
    <>
      <span>{text}</span>
      <span className="note">
        {laneName}, <Time at={at} now={at} form="clock" /> {zone}
      </span>
    </>
  );
  return (
    <li className={styles["row"]}>
      <span className={styles["mark"]} style={{ left: x }}>
        <Glyph name={glyph} tone={tone} size={GLYPH} />
      </span>
      {href === undefined ? (
        <span className={styles["words"]}>{words}</span>
      ) : (
        <Link className={styles["words"]} href={href} data-plain>
          {words}
        </Link>
      )}
    </li>
  );
}
