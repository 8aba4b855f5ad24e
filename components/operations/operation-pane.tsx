"use client";

import type { ReactNode } from "react";
import { DetailPane, PaneWalk } from "@/components/table/detail-pane";
import { ListPane, openedPane } from "@/components/table/list-pane";
import { idPath, useOpened, type Opened } from "@/components/table/use-opened";
import { ButtonLink } from "@/components/ui/button";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { usePlace } from "@/components/ui/place";
import type { OperationDetail } from "@/presentation/views/operations";
import styles from "./operations.module.css";

export interface OperationListProps {
  /** The row that the address opened when the page was read. */
  readonly opened: Opened<OperationDetail> | undefined;
  /** The pane is there while no row is open, and says what it is for. */
  readonly idle?: boolean | undefined;
  readonly children: ReactNode;
}

export function OperationList({ opened, idle = false, children }: OperationListProps) {
  const id = usePlace().query.get("open") ?? undefined;
  const row = useOpened(id, idPath("/operations", id), opened);
  const nothing = idle ? <Idle /> : undefined;
  const pane = openedPane(row, "This operation", (operation) => <OperationPane operation={operation} />, nothing);
  return (
    <ListPane label="Current operation" pane={pane ?? nothing} busy={row.busy}>
      {children}
    </ListPane>
  );
}

function Idle() {
  return (
    <>
      <PaneWalk />
      <p className="soft">The row you open shows here: what happened, from key to ledger.</p>
    </>
  );
}

function OperationPane({ operation }: { readonly operation: OperationDetail }) {
  const { evidence, money, state } = operation;
  const href = `/operations/${operation.operationId}`;
  const may = (name: string): boolean => operation.actions.some(({ action, allowed }) => action === name && allowed);
  return (
    <DetailPane
      href={href}
      head={
        <div className={styles["amount"]}>
          {money === undefined ? <span>{operation.kind}</span> : <Money {...money} />}
          <StateTag name={state} />
        </div>
      }
      verdict={operation.verdict.clauses}
      chain={operation.chain}
      known={{
        Evidence: evidence?.rows.map((row) => ({
          name: row.source,
          value: (
            <StateTag name={row.says.glyph} tone={row.says.tone}>
              {row.says.text}
              {row.final && row.says.tone === "proven" ? ", final" : ""}
            </StateTag>
          ),
        })),
        Facts: facts(operation),
      }}
    >
      <ButtonLink
        primary={evidence !== undefined}
        wide
        href={evidence === undefined ? href : `${href}#settle`}
        label={evidence === undefined ? undefined : `Decide on ${operation.kind} ${operation.key}`}
      >
        {evidence === undefined ? "Open page" : "Decide"}
      </ButtonLink>
      {may("reconcile") && <ButtonLink href={`${href}?dialog=reconcile`}>Ask provider</ButtonLink>}
    </DetailPane>
  );
}

function facts(operation: OperationDetail) {
  return [
    { name: "Operation", value: <Id value={operation.operationId} mark /> },
    { name: "Key", value: <Id value={operation.key} mark /> },
    { name: "Client", value: operation.client },
    { name: "Account", value: operation.account && <Id value={operation.account} plain /> },
    { name: "Reference", value: operation.reference && <Id value={operation.reference} plain /> },
    { name: "Started", value: <Time at={operation.createdAt} now={operation.at} form="millis" /> },
    { name: "Open until", value: <Time at={operation.expiresAt} now={operation.at} form="day" /> },
  ];
}
