import { Time } from "@/components/ui/values/time";
import { ButtonLink } from "@/components/ui/button";
import type { Page } from "@/presentation/views/common";
import { Notice } from "./notice";

export interface ScanLimitNoticeProps {
  readonly list: Page<unknown>;
  /** @returns the address of the rest */
  readonly hrefOf: (cursor: string) => string;
}

/** A filter that is rare and has no index: the page looked at so many rows of the list, and goes on when asked. */
export function ScanLimitNotice({ list, hrefOf }: ScanLimitNoticeProps) {
  const { looked, rows } = list;
  if (looked === undefined) return null;
  const found = rows.length === 0 ? "No match" : rows.length === 1 ? "1 match" : `${String(rows.length)} matches`;
  return (
    <Notice
      tone="doubt"
      title={`${found} among the ${looked.rows.toLocaleString("en")} rows looked at so far.`}
      text={
        looked.until.includes("T") ? (
          <>
            This page looked as far as <Time at={looked.until} now={list.at} form="ago" />. Choose a shorter time, or go
            on from there.
          </>
        ) : undefined
      }
      actions={
        <ButtonLink small href={hrefOf(looked.further)}>
          Search further
        </ButtonLink>
      }
    />
  );
}
