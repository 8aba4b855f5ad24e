/** `onceboard/once`: operations in a service's own process and its own transactions. docs/ONCE.md shows how. */
export {
  createOnceboard,
  type Onceboard,
  type OnceboardOptions,
  type OnceRequest,
  type PgPool,
} from "./once/create-onceboard";
export type { Json, OnceMessage, WorkAnswer } from "./once/answer";
export type { OnceKind, Work } from "./once/definition";
export type { OnceResult } from "./once/once-result";
export { drizzleTransactions } from "./transactions/drizzle";
export { kyselyTransactions } from "./transactions/kysely";
export { pgTransactions, type PgClient } from "./transactions/pg";
export { prismaTransactions } from "./transactions/prisma";
export type { Transactions } from "./transactions/transactions";
export { UsageError, type UsageCode } from "./usage-error";
