import type { TextRow } from "./text-statement";
import type { Transactions } from "./transactions";

interface PrismaTransaction {
  $queryRawUnsafe<T>(text: string, ...values: unknown[]): PromiseLike<T>;
}

interface PrismaDatabase<Tx> {
  $transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Interactive transactions of Prisma. It ends one after 5 s unless the client was made with other `transactionOptions`. */
export function prismaTransactions<Tx extends PrismaTransaction>(db: PrismaDatabase<Tx>): Transactions<Tx> {
  return {
    run: (work) => db.$transaction(work),
    async query(tx, { text, values }) {
      try {
        return await tx.$queryRawUnsafe<TextRow[]>(text, ...values);
      } catch (error) {
        throw withSqlState(error);
      }
    },
  };
}

/** Prisma puts a code of its own in the place of PostgreSQL's, by which the engine knows a lost fence and a lost race. */
function withSqlState(error: unknown): unknown {
  const code = stateIn(error);
  return code === undefined ? error : Object.assign(new Error("a statement failed", { cause: error }), { code });
}

/** In `meta.code`, and with a driver adapter in `meta.driverAdapterError.cause.originalCode`. */
function stateIn(error: unknown): string | undefined {
  const meta = memberOf(error, "meta");
  const adapter = memberOf(memberOf(meta, "driverAdapterError"), "cause");
  return [memberOf(meta, "code"), memberOf(adapter, "originalCode")].find(
    (code): code is string => typeof code === "string" && SQLSTATE.test(code),
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
