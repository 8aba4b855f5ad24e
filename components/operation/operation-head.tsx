import Link from "next/link";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { AmountBlock, PageHead } from "@/components/ui/page-head";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { toVerdictClauses } from "@/components/ui/verdict-clauses";
import { operationRoute } from "@/domain/operation-label";
import type { OperationDetail } from "@/presentation/views/operations";

/** The verdict, who asked for it, and the amount it is about. */
export function OperationHead({ operation }: { readonly operation: OperationDetail }) {
  const { at, money, state } = operation;
  const open = state === "UNKNOWN_REQUIRES_RECOVERY" || state === "STALE";
  return (
    <PageHead
      crumb={
        <>
          <Link href={open ? "/attention" : "/operations"} data-plain>
            {open ? "Unknown and stale" : "Operations"}
          </Link>{" "}
          {operation.kind}
        </>
      }
      lede={<Lede operation={operation} />}
      aside={
        <AmountBlock
          tag={<StateTag name={state} />}
          amount={money === undefined ? operation.kind : <Money minor={money.minor} currency={money.currency} />}
          note={
            <>
              started <Time at={operation.createdAt} now={at} form="ago" />,{" "}
              <Time at={operation.createdAt} now={at} form="clock" />
            </>
          }
        />
      }
    >
      <Verdict clauses={toVerdictClauses(operation.verdict)} />
    </PageHead>
  );
}

function Lede({ operation }: { readonly operation: OperationDetail }) {
  const expired = Date.parse(operation.expiresAt) <= Date.parse(operation.at);
  return (
    <>
      {operationRoute(operation.operation)} by <b>{operation.client}</b>
      {operation.account !== undefined && (
        <>
          {" "}
          for account <Id value={operation.account} plain strong />
        </>
      )}
      {operation.reference !== undefined && (
        <>
          , reference <Id value={operation.reference} plain strong />
        </>
      )}
      . Key {expired ? "was open until" : "is open until"}{" "}
      <Time at={operation.expiresAt} now={operation.at} form="day" />.
      {operation.responseStatus !== undefined && (
        <>
          {" "}
          Every retry gets the stored answer <b>{operation.responseStatus}</b>
          {operation.errorCode === undefined ? "" : `, ${operation.errorCode}`}.
        </>
      )}{" "}
      <Link href={`/operations/${operation.operationId}/proof`}>Proof</Link>
    </>
  );
}
