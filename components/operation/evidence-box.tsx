import { Consequences } from "@/components/chain/consequences";
import { DecisionBox, DecisionHead, Lean } from "@/components/feedback/decision-box";
import { RowsTable } from "@/components/table/rows-table";
import { Offer } from "@/components/ui/offer";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { askWords } from "@/presentation/operation/decision-claims";
import { askServiceWords } from "@/presentation/operation/service-request";
import { plural } from "@/presentation/format/words";
import type { EvidenceRow, EvidenceView, OperationDetail } from "@/presentation/views/operations";
import { SettleForm } from "./settle-form";
import { settleOptions } from "./settle-options";
import styles from "./operation.module.css";

/** The place where a doubt is settled: what each source says on the left, the decision on the right. */
export function EvidenceBox({ operation }: { readonly operation: OperationDetail }) {
  const { evidence } = operation;
  if (evidence === undefined) return null;
  return (
    <div id="settle">
      <DecisionBox
        tone="doubt"
        label="Evidence and decision"
        right={
          <>
            <DecisionHead>Settle</DecisionHead>
            <SettleForm
              path={`/api/v1/admin/operations/${operation.operationId}/resolve`}
              options={settleOptions(operation)}
              evidence={evidence.rows
                .filter(attachable)
                .map((row) => ({ ref: row.ref, label: row.source, at: row.at }))}
              askable={evidence.gap === undefined}
              needsReference={operation.provider.every((call) => call.reference === undefined)}
              secondPersonFrom={operation.secondPersonFrom?.display}
              service={operation.service}
            />
          </>
        }
      >
        <DecisionHead>Evidence</DecisionHead>
        <Lean>{evidence.sentence}</Lean>
        {evidence.gap !== undefined && <p className={styles["gap"]}>{evidence.gap}</p>}
        <EvidenceTable evidence={evidence} now={operation.at} />
        {operation.service === undefined && (
          <div className="above">
            <Consequences title={`After “It succeeded”, automatically`} steps={stepsAfter(operation)} />
          </div>
        )}
        <Ask operation={operation} />
      </DecisionBox>
    </div>
  );
}

/** What says nothing is no evidence. */
function attachable(row: EvidenceRow): boolean {
  return row.says.glyph !== "empty";
}

function EvidenceTable({ evidence, now }: { readonly evidence: EvidenceView; readonly now: string }) {
  return (
    <div className={styles["evidence"]}>
      <RowsTable
        label="Evidence"
        rows={evidence.rows}
        rowId={(row) => row.ref}
        columns={{
          Source: {
            phone: "left",
            cell: (row) => (
              <>
                <span className="block strong">{row.source}</span>
                <span className="note block">{row.note}</span>
              </>
            ),
          },
          Says: {
            phone: "right",
            cell: (row) => (
              <>
                <StateTag name={row.says.glyph} tone={row.says.tone}>
                  {row.says.text}
                </StateTag>
                <span className="note block">
                  {row.says.glyph === "empty" ? "as far as we know" : row.final ? "final" : "not final"}
                </span>
              </>
            ),
          },
          Amount: {
            align: "right",
            phone: "hidden",
            cell: ({ money, moneyNote }) =>
              money !== undefined && (
                <>
                  <Money minor={money.minor} currency={money.currency} />
                  <span className="note block">{moneyNote}</span>
                </>
              ),
          },
          When: {
            phone: "hidden",
            cell: ({ at, atNote }) =>
              at !== undefined && (
                <>
                  <Time at={at} now={now} form="clock" />
                  <span className="note block">{atNote ?? <Time at={at} now={now} form="ago" />}</span>
                </>
              ),
          },
        }}
      />
    </div>
  );
}

function stepsAfter(operation: OperationDetail) {
  const { outbox, inbox, ledger } = operation;
  const rows = (count: number): string => plural(Math.max(1, count), "row");
  return [
    { name: "Key", fact: "claimed", done: true },
    { name: "Operation", fact: "completed", done: true },
    { name: "Provider", fact: "not asked", done: false },
    { name: "Outbox", fact: rows(outbox.length), done: outbox.length > 0 },
    { name: "Inbox", fact: rows(inbox.length), done: false },
    { name: "Ledger", fact: ledger.length === 0 ? "1 entry" : "posted", done: ledger.length > 0 },
  ];
}

function askNote(operation: OperationDetail): string {
  const { service } = operation;
  return service === undefined ? askWords(operation) : askServiceWords({ service, action: "reconcile" });
}

function Ask({ operation }: { readonly operation: OperationDetail }) {
  const action = operation.actions.find((one) => one.action === "reconcile");
  if (action === undefined) return null;
  return (
    <div className={styles["ask"]}>
      <Offer dialog="reconcile" notOffered={action.allowed ? undefined : (action.whyNot ?? "Not now.")}>
        {action.label}
      </Offer>
      <span>{action.allowed ? askNote(operation) : action.whyNot}</span>
    </div>
  );
}
