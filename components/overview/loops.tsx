import { formatDuration } from "@/presentation/format/display-time";
import { freshestLoops } from "@/presentation/metrics/heartbeat";
import styles from "./overview.module.css";
import type { LoopRow } from "@/domain/checks/rows";

export function Loops({ rows }: { readonly rows: readonly LoopRow[] }) {
  const loops = freshestLoops(rows);
  const stopped = loops.filter((row) => row.state !== "beating").length;
  return (
    <section className={styles["loops"]} aria-labelledby="loops">
      <h2 id="loops">Loops</h2>
      {loops.map((row) => (
        <span
          key={row.loop}
          data-state={row.state}
          title={`${row.instance}${row.error === undefined ? "" : `, last error ${row.error}`}`}
        >
          {row.loop.replaceAll("_", " ")}{" "}
          <i>
            {row.state === "beating" ? "" : `${row.state}, `}
            {formatDuration(row.ageMs)} ago
          </i>
        </span>
      ))}
      <span className={styles["all"]}>
        {loops.length === 0
          ? "no worker has started yet"
          : stopped === 0
            ? "all beating"
            : `${String(stopped)} not beating`}
      </span>
    </section>
  );
}
