import type { CSSProperties } from "react";
import type { ChainGap, ChainStation, ChainView, ChainWay } from "@/presentation/operation/chain";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { ServerClock } from "@/components/ui/values/server-clock";
import styles from "./chain.module.css";

export interface ChainProps {
  readonly stations: ChainView["stations"];
  readonly gap?: ChainGap | undefined;
  /** Upright with one line per station, for a side pane. */
  readonly compact?: boolean | undefined;
  readonly label?: string | undefined;
}

const WHOLE = 1;
/** A doubtful way needs room for its duration, what lies behind a gap needs little. */
const BEFORE_GAP = 1.22;
const BEHIND_GAP = 0.72;
const GAP = 0.8;

function columns(count: number, gap: ChainGap | undefined): string {
  const parts: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const share = gap === undefined ? WHOLE : index < gap.after ? WHOLE : index === gap.after ? BEFORE_GAP : BEHIND_GAP;
    parts.push(`minmax(0, ${String(share)}fr)`);
    if (gap?.after === index) parts.push(`minmax(0, ${String(GAP)}fr)`);
  }
  return parts.join(" ");
}

/**
 * The signature: key → operation → provider → outbox → inbox → ledger. A station begins at its mark; the line to its
 * right *is* the way to the next one. What is missing is drawn as an element of its own. Upright on the phone.
 */
export function Chain({ stations, gap, compact = false, label = "Chain" }: ChainProps) {
  const style: CSSProperties & Record<"--chain-columns", string> = { "--chain-columns": columns(stations.length, gap) };
  return (
    <ol className={compact ? "block" : styles["chain"]} style={style} aria-label={label}>
      {stations.flatMap((station, index) => {
        const next = stations[index + 1];
        const item = compact ? (
          <CompactStation key={station.name} station={station} />
        ) : (
          <Station key={station.name} station={station} passes={next?.presence === "absent"} />
        );
        if (gap?.after !== index) return [item];
        return [item, <Gap key="gap" gap={gap} compact={compact} />];
      })}
    </ol>
  );
}

function Station({ station, passes }: { readonly station: ChainStation; readonly passes: boolean }) {
  const presence = station.presence ?? "on";
  return (
    <li className={styles["station"]} data-presence={presence}>
      <span className="spoken">{station.spoken}</span>
      <div className={styles["name"]} aria-hidden>
        {station.name}
      </div>
      <div className={styles["rail"]} aria-hidden>
        {presence !== "absent" && (
          <span className={styles["mark"]}>
            <Glyph name={station.glyph} size={24} tone={station.tone} />
          </span>
        )}
        {station.way !== undefined && presence !== "absent" && <Way way={station.way} passes={passes} />}
      </div>
      <div className={styles["facts"]}>
        {station.time !== undefined && (
          <div className={styles["time"]}>
            <ServerClock text={station.time} />
          </div>
        )}
        {station.id !== undefined && (
          <div>
            <Id value={station.id} plain />
          </div>
        )}
        {station.facts.map((fact) => (
          <div key={fact}>{fact}</div>
        ))}
      </div>
    </li>
  );
}

function Way({ way, passes }: { readonly way: ChainWay; readonly passes: boolean }) {
  return (
    <span className={styles["way"]} data-kind={way.kind} data-passes={passes || undefined}>
      {way.duration !== undefined && <span className={styles["duration"]}>{way.duration}</span>}
    </span>
  );
}

function Gap({ gap, compact }: { readonly gap: ChainGap; readonly compact: boolean }) {
  if (compact) {
    return (
      <li className={styles["compactGap"]} data-tone={gap.tone}>
        <span className="spoken">{gap.spoken}</span>
        <i aria-hidden />
        <span aria-hidden>gap, {gap.facts.join(" ")}</span>
      </li>
    );
  }
  return (
    <li className={styles["gap"]} data-tone={gap.tone}>
      <span className="spoken">{gap.spoken}</span>
      <div className={styles["caps"]} aria-hidden>
        <span>gap</span>
      </div>
      <div className={styles["gapFacts"]} aria-hidden>
        {gap.facts.map((fact) => (
          <div key={fact}>{fact}</div>
        ))}
      </div>
    </li>
  );
}

function CompactStation({ station }: { readonly station: ChainStation }) {
  if (station.presence === "absent") return null;
  return (
    <li className={styles["compact"]} data-presence={station.presence ?? "on"} data-way={station.way?.kind}>
      <span className="spoken">{station.spoken}</span>
      <Glyph name={station.glyph} tone={station.tone} />
      <b aria-hidden>{station.name}</b>
      <span className={styles["compactFact"]} aria-hidden>
        {station.time === undefined ? station.facts[0] : <ServerClock text={station.time} />}
      </span>
    </li>
  );
}
