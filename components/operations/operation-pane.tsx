"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { Chain } from "@/components/chain/chain";
import { ListPane, openedPane } from "@/components/table/list-pane";
import { idPath, useOpened, type Opened } from "@/components/table/use-opened";
import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { toVerdictClauses } from "@/components/ui/verdict-clauses";
import { usePlace } from "@/components/ui/place";
import type { OperationDetail } from "@/presentation/views/operations";
import pane from "@/components/table/pane.module.css";
import styles from "./operations.module.css";

export interface OperationListProps {
  /** The row that the address opened when the page was read. */
  readonly opened: Opened<OperationDetail> | undefined;
  /** The pane is there while no row is open, and says what it is for. */
  readonly idle?: boolean | undefined;
  readonly children: ReactNode;
}

/** A list of operations with the open one beside it. */
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
      <Walk />
      <p className="soft">The row you open shows here: what happened, in one sentence, from key to ledger.</p>
    </>
  );
}

/** The current row, beside the list: verdict, chain, what is known, what it is called. */
function OperationPane({ operation }: { readonly operation: OperationDetail }) {
  const { evidence, money, state } = operation;
  const href = `/operations/${operation.operationId}`;
  const may = (name: string): boolean => operation.actions.some(({ action, allowed }) => action === name && allowed);
  return (
    <>
      <Walk href={href} />
      <div className={styles["amount"]}>
        {money === undefined ? <span>{operation.kind}</span> : <Money minor={money.minor} currency={money.currency} />}
        <StateTag name={state} />
      </div>
      <Verdict as="h2" size="pane" clauses={toVerdictClauses(operation.verdict)} />
      <div className="above">
        <Chain stations={operation.chain.stations} gap={operation.chain.gap} compact />
      </div>
      {evidence !== undefined && (
        <div className={pane["block"]}>
          <h3>Evidence</h3>
          <DataList
            right
            items={evidence.rows.map((row) => ({
              name: row.source,
              value: (
                <StateTag name={row.says.glyph} tone={row.says.tone}>
                  {row.says.text}
                  {row.final && row.says.tone === "proven" ? ", final" : ""}
                </StateTag>
              ),
            }))}
          />
        </div>
      )}
      <div className={pane["block"]}>
        <h3>Facts</h3>
        <DataList right items={facts(operation)} />
      </div>
      <div className={pane["actions"]}>
        <ButtonLink primary={evidence !== undefined} wide href={evidence === undefined ? href : `${href}#settle`}>
          {evidence === undefined ? "Open page" : "Decide"}
        </ButtonLink>
        {may("reconcile") && <ButtonLink href={`${href}?dialog=reconcile`}>Ask provider</ButtonLink>}
      </div>
    </>
  );
}

function Walk({ href }: { readonly href?: string | undefined }) {
  return (
    <div className={styles["walk"]}>
      <span>
        Walk with <kbd>j</kbd> <kbd>k</kbd>, open with <kbd>↵</kbd>
      </span>
      {href !== undefined && (
        <Link href={href} prefetch={false}>
          Open page
        </Link>
      )}
    </div>
  );
}

function facts(operation: OperationDetail) {
  return [
    { name: "Operation", value: <Id value={operation.operationId} mark /> },
    { name: "Key", value: <Id value={operation.key} mark /> },
    { name: "Client", value: operation.client },
    ...(operation.account === undefined ? [] : [{ name: "Account", value: <Id value={operation.account} plain /> }]),
    ...(operation.reference === undefined
      ? []
      : [{ name: "Reference", value: <Id value={operation.reference} plain /> }]),
    { name: "Started", value: <Time at={operation.createdAt} now={operation.at} form="millis" /> },
    { name: "Open until", value: <Time at={operation.expiresAt} now={operation.at} form="day" /> },
  ];
}
