import Link from "next/link";
import { Chain } from "@/components/chain/chain";
import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { toVerdictClauses } from "@/components/ui/verdict-clauses";
import type { OperationDetail } from "@/presentation/views/operations";
import styles from "./operations.module.css";

/** The current row, beside the list: verdict, chain, what is known, what it is called. */
export function OperationPane({ operation }: { readonly operation: OperationDetail | undefined }) {
  if (operation === undefined) {
    return (
      <>
        <Walk />
        <p className={styles["idle"]}>
          The row you open shows here: what happened, in one sentence, from key to ledger.
        </p>
      </>
    );
  }
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
      <div className={styles["chain"]}>
        <Chain stations={operation.chain.stations} gap={operation.chain.gap} compact />
      </div>
      {evidence !== undefined && (
        <div className={styles["block"]}>
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
      <div className={styles["block"]}>
        <h3>Facts</h3>
        <DataList right items={facts(operation)} />
      </div>
      <div className={styles["actions"]}>
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
      {href !== undefined && <Link href={href}>Open page</Link>}
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
