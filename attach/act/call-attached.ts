import type { Foreign, ForeignTransaction } from "../connection";
import { quoteName } from "../contract/tables";

/** One call of a function that an installation brought. */
export type FunctionCall =
  | { readonly act: "requeue" | "discard"; readonly row: string }
  | { readonly act: "purge"; readonly before: Date; readonly most: number };

/** A row that the function changed, as it says. */
export interface ChangedRow {
  readonly id: string;
  readonly was: string | null;
  readonly isNow: string | null;
}

/** What the function returned, and the transaction that it ran in. */
export interface Returned {
  /** `pg_current_xact_id()`, by which PostgreSQL says later what became of it. */
  readonly xid: string;
  readonly rows: readonly ChangedRow[];
}

export type CallOutcome =
  | ({ readonly kind: "committed" } & Returned)
  /** Surely without effect: it was never told to commit, or said no. `refused`: by the database, so a retry meets the same. */
  | { readonly kind: "no_effect"; readonly refused: boolean; readonly reason: string }
  /** It was told to commit and did not answer. */
  | { readonly kind: "in_doubt"; readonly reason: string };

/**
 * Calls a function in a transaction of its own, and tells what it returned before that is committed: whoever keeps it can ask afterwards
 * what became of the transaction.
 *
 * @param keep keeps what was returned, by our own connection; when it throws nothing is committed
 */
export async function callAttached(
  foreign: Foreign,
  schema: string,
  call: FunctionCall,
  keep: (returned: Returned) => Promise<void>,
): Promise<CallOutcome> {
  let transaction: ForeignTransaction;
  try {
    transaction = await foreign.begin();
  } catch (error) {
    return without(error);
  }
  let returned: Returned;
  try {
    returned = await run(transaction, schema, call);
    await keep(returned);
  } catch (error) {
    await transaction.rollback();
    return without(error);
  }
  try {
    await transaction.commit();
  } catch (error) {
    return NOT_COMMITTED.test(codeOf(error) ?? "") ? without(error) : { kind: "in_doubt", reason: wordsOf(error) };
  }
  return { kind: "committed", ...returned };
}

async function run(transaction: ForeignTransaction, schema: string, call: FunctionCall): Promise<Returned> {
  const [started] = await transaction.query<{ readonly xid: string }>("select pg_current_xact_id()::text as xid");
  const rows =
    call.act === "purge"
      ? await transaction.query<ChangedRow>(
          `select id, was, is_now as "isNow" from ${quoteName(schema)}.purge($1::timestamp with time zone, $2::integer)`,
          [call.before, call.most],
        )
      : await transaction.query<ChangedRow>(
          `select id, was, is_now as "isNow" from ${quoteName(schema)}.${call.act}($1::text)`,
          [call.row],
        );
  return { xid: started?.xid ?? "", rows };
}

/** SQLSTATE classes that answer a commit with no; a server that shuts down may say so after it committed. */
const NOT_COMMITTED = /^(23|25|40)/;

/** What became of a transaction; `forgotten`: PostgreSQL keeps it no more, or was restored from before it. */
export type TransactionEnd = "committed" | "aborted" | "in progress" | "forgotten";

/** Of another server than the one that ran it: the number is not given out yet there. */
const INVALID_PARAMETER = "22023";

/**
 * Asks what became of a transaction.
 *
 * @param xid of {@link Returned}
 */
export async function endOfTransaction(foreign: Foreign, xid: string): Promise<TransactionEnd> {
  try {
    const [row] = await foreign.query<{ readonly status: TransactionEnd | null }>(
      "select pg_xact_status($1::text::xid8) as status",
      [xid],
    );
    return row?.status ?? "forgotten";
  } catch (error) {
    if (codeOf(error) === INVALID_PARAMETER) return "forgotten";
    throw error;
  }
}

/** SQLSTATE classes after which the same call may go through: connections, resources, locks, a shutdown. */
const PASSING = /^(08|40|53|55|57)/;

function without(error: unknown): CallOutcome {
  const code = codeOf(error);
  return { kind: "no_effect", refused: code !== undefined && !PASSING.test(code), reason: wordsOf(error) };
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

const wordsOf = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : "the connection was lost";
