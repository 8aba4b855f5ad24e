import { Link } from "@/components/ui/link";
import { RangeForm } from "@/components/ui/time/range-form";
import { TimeSpan } from "@/components/ui/values/time-span";
import { wholeWindow } from "@/domain/metrics/risk";
import { windowText } from "@/presentation/metrics/cell-claims";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { RiskView } from "@/presentation/views/risk";
import styles from "./risk.module.css";

export interface RiskWindowProps {
  readonly risk: RiskView;
  readonly address: PageAddress;
  /** The chart stands above, not its table or that there is nothing. */
  readonly drawn: boolean;
}

/** What the rest of the page is about: the brushed window, which may be typed too, or the whole chart. */
export function RiskWindow({ risk, address, drawn }: RiskWindowProps) {
  const { window } = risk;
  const shown = window ?? wholeWindow(risk.time);
  const kept = Object.entries(address.search).flatMap(([name, value]) =>
    name === "from" || name === "to" || typeof value !== "string" ? [] : [{ name, value }],
  );
  return (
    <div className={styles["window"]} role="group" aria-label="Window">
      {window !== undefined && (
        <span className={styles["token"]}>
          <i>window</i> <TimeSpan from={window.from} to={window.to} now={window.to} />
          <Link
            href={hrefWith(address, { from: undefined, to: undefined })}
            scroll={false}
            data-plain
            className={styles["drop"]}
            aria-label="Drop the window"
          >
            ×
          </Link>
        </span>
      )}
      <RangeForm
        action={address.path}
        kept={kept}
        place={JSON.stringify([window?.from, window?.to])}
        from={shown.from}
        to={shown.to}
      />
      <span className="note">
        {windowText(window)}
        {/* Without a chart, and on the phone, there is nothing to drag across. */}
        {window === undefined && drawn && <span className="off-phone"> Drag across the chart, or type times.</span>}
      </span>
    </div>
  );
}
