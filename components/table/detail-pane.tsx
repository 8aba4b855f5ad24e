import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { Chain } from "@/components/chain/chain";
import { DataList, type DataListProps } from "@/components/ui/data-list";
import { PlaceLink } from "@/components/ui/place-link";
import { Verdict, type VerdictProps } from "@/components/ui/verdict";
import type { ChainView } from "@/presentation/operation/chain";
import styles from "./pane.module.css";

interface DetailPaneProps extends PaneWalkProps {
  readonly head: ReactNode;
  readonly verdict: VerdictProps["clauses"];
  readonly chain: Pick<ChainView, "stations" | "gap">;
  /** Lists of what is known, by their titles. */
  readonly known: Readonly<Record<string, DataListProps["items"] | undefined>>;
  readonly children: ReactNode;
}

/** The open row beside its list: what it is, its verdict, its chain and what is known of it. */
export function DetailPane({ head, verdict, chain, known, children, ...walk }: DetailPaneProps) {
  return (
    <>
      <PaneWalk {...walk} />
      {head}
      <Verdict as="h2" size="pane" clauses={verdict} />
      <div className="above">
        <Chain stations={chain.stations} gap={chain.gap} compact />
      </div>
      {Object.entries(known).map(
        ([title, items]) =>
          items !== undefined && (
            <div key={title} className={styles["block"]}>
              <h3>{title}</h3>
              <DataList right items={items} />
            </div>
          ),
      )}
      <div className={styles["actions"]}>{children}</div>
    </>
  );
}

interface PaneWalkProps {
  /** Page of the row; without it nothing is there to open. */
  readonly href?: string | undefined;
  /** The parameter of the address that opens the pane, where it may be closed. */
  readonly closes?: string | undefined;
}

export function PaneWalk({ href, closes }: PaneWalkProps) {
  return (
    <div className={styles["walk"]}>
      <span>
        Walk with <kbd>j</kbd> <kbd>k</kbd>, open with <kbd>↵</kbd>
      </span>
      {href !== undefined && <Link href={href}>Open page</Link>}
      {closes !== undefined && <PlaceLink place={{ [closes]: undefined }}>Close</PlaceLink>}
    </div>
  );
}
