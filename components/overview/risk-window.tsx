import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { RangeFields } from "@/components/ui/range-fields";
import { TimeSpan } from "@/components/ui/values/time-span";
import { wholeWindow } from "@/domain/metrics/risk";
import { spokenDuration } from "@/presentation/format/words";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { RiskView } from "@/presentation/views/risk";
import styles from "./risk.module.css";

/** What the rest of the page is about: the brushed window, which may be typed too, or the whole chart. */
export function RiskWindow({ risk, address }: { readonly risk: RiskView; readonly address: PageAddress }) {
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
      <form className={styles["typed"]} method="get" action={address.path}>
        {kept.map(({ name, value }) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <RangeFields place={JSON.stringify([window?.from, window?.to])} from={shown.from} to={shown.to} />
        <Button type="submit" small>
          Show
        </Button>
      </form>
      <span className="note">
        {window === undefined
          ? "What changed and what is in doubt below is about all of it. Drag across the chart, or type times."
          : `${spokenDuration(Date.parse(window.to) - Date.parse(window.from))}. What changed and what is in doubt below is about this window.`}
      </span>
    </div>
  );
}
