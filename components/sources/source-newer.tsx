"use client";

import { Link } from "@/components/ui/link";
import { useLive } from "@/components/shell/live-provider";
import { Time } from "@/components/ui/values/time";
import { newsWords } from "@/presentation/sources/news-claims";
import styles from "./sources.module.css";

interface SourceNewerProps {
  /** What one row of the list is: "message". */
  readonly row: string;
  /** Rows above those on the screen are asked for: on the first page of all states. */
  readonly watched: boolean;
  /** When the rows on the screen were read, RFC 3339. */
  readonly readAt: string;
  /** Where they are read again. */
  readonly again: string;
}

/** The first lines of a list of an attached database: newer rows wait behind them, and they say when their database was asked. */
export function SourceNewer({ row, watched, readAt, again }: SourceNewerProps) {
  return (
    <div className={styles["newer"]}>
      <News row={row} watched={watched} />
      <p>
        The states here are as of <Time at={readAt} now={readAt} form="clock" />: a row that changes afterwards is not
        noticed. <Link href={again}>Read again</Link>
      </p>
    </div>
  );
}

function News({ row, watched }: Pick<SourceNewerProps, "row" | "watched">) {
  const { status, source: news, at, show } = useLive();
  if (!watched) return <p>Newer rows are watched for on the first page of all states.</p>;
  const said = newsWords({ live: status === "live", row, news });
  const asked = news?.kind === "read" || news?.kind === "away" ? news.at : undefined;
  return (
    <p aria-live="polite">
      {news?.kind === "read" && news.newer > 0 ? (
        <>
          <button type="button" onClick={show}>
            {said} Show
          </button>{" "}
          Rows stay where they are until you do, or act.
        </>
      ) : (
        said
      )}
      {asked !== undefined && (
        <small className="quiet">
          {" "}
          asked <Time at={asked} now={at} form="clock" />
        </small>
      )}
    </p>
  );
}
