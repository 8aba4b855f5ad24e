import { ButtonLink, Button } from "@/components/ui/button";
import type { ReactNode } from "react";
import { hrefWith, type PageAddress, type PageParam } from "@/presentation/list/page-address";
import styles from "./data-table.module.css";

export interface PagerProps {
  /** "Newest first, 50 a page". */
  readonly note: ReactNode;
  readonly newerHref?: string | undefined;
  readonly olderHref?: string | undefined;
}

/** What of an address is about the rows of one page, and ends with it. */
const OF_A_PAGE = ["dialog", "open"] as const;

/** @returns the addresses of the pages beside this one, with nothing of this page open */
export function pageLinks(
  address: PageAddress,
  { previous, next }: { readonly previous?: string | undefined; readonly next?: string | undefined },
  dropped: readonly PageParam[] = OF_A_PAGE,
): Pick<PagerProps, "newerHref" | "olderHref"> {
  const gone = Object.fromEntries(dropped.map((name) => [name, undefined]));
  const at = (cursor: string | undefined) =>
    cursor === undefined ? undefined : hrefWith(address, { ...gone, cursor });
  return { newerHref: at(previous), olderHref: at(next) };
}

/** Newer and Older as links: a page of a list has an address. */
export function Pager({ note, newerHref, olderHref }: PagerProps) {
  return (
    <nav className={styles["pager"]} aria-label="Pages of this list">
      <span>{note}</span>
      <span className="grow" />
      <Turn href={newerHref}>Newer</Turn>
      <Turn href={olderHref}>Older</Turn>
    </nav>
  );
}

function Turn({ href, children }: { readonly href: string | undefined; readonly children: string }) {
  return href === undefined ? (
    <Button small disabled>
      {children}
    </Button>
  ) : (
    <ButtonLink small href={href}>
      {children}
    </ButtonLink>
  );
}
