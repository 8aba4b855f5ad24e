"use client";

import { useLive } from "@/components/shell/live-provider";
import { Time } from "@/components/ui/values/time";
import { newsWords } from "@/presentation/sources/news-claims";
import styles from "./sources.module.css";

interface SourceNewerProps {
  /** What one row of the list is: "message". */
  readonly row: string;
  /** Rows above those on the screen are asked for: on the first page of all states. */
  readonly watched: boolean;
}

/** The first line of a list of an attached database: newer rows wait behind it, and it says when their database was asked. */
export function SourceNewer({ row, watched }: SourceNewerProps) {
  const { status, source: news, at, show } = useLive();
  if (!watched) return <p className={styles["newer"]}>Newer rows are watched for on the first page of all states.</p>;
  const said = newsWords({ live: status === "live", row, news });
  const asked = news?.kind === "read" || news?.kind === "away" ? news.at : undefined;
  return (
    <p className={styles["newer"]} aria-live="polite">
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
