import { and, asc, desc, eq, inArray, isNotNull, ne, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { isSaid, saidStatus } from "@/db/inbox/provider-word";
import { builder, COUNT, countWhere, dayOf, prepared, select, subselect, type RowOf } from "@/db/query";
import { idempotencyEvents, inboxMessages, outboxHistory, outboxMessages, providerRequests } from "@/db/schema";
import { entries } from "@/db/schema/evidence";
import type { AnswerOutcome } from "@/domain/idempotency/states";

const e = alias(idempotencyEvents, "e");
const p = alias(providerRequests, "p");
const m = alias(outboxMessages, "m");
const h = alias(outboxHistory, "h");
const n = alias(inboxMessages, "n");
const l = alias(entries, "l");

/** Answers read per operation: six are drawn, the rest is a number that stops here. */
const ANSWERS_DRAWN = 6;
const ANSWERS_COUNTED = 1_000;

/** What the answers strip and the six-mark chain of one operation are drawn from. */
export type OperationSparklineRow = RowOf<typeof selectOperationSparklines>;

const ID = sql<string>`i.id`;
function ofIt(table: Readonly<Record<"tenantId" | "operationId", PgColumn>>): SQL | undefined {
  return and(eq(table.tenantId, sql.placeholder("tenantId")), eq(table.operationId, ID));
}
function late(day: PgColumn): SQL {
  return sql`${day} >= ${dayOf(sql`${sql.placeholder("since")}`)}`;
}

const answered = and(ofIt(e), late(e.day), isNotNull(e.outcome));
const drawn = builder.select({ outcome: e.outcome, at: e.at, id: e.id }).from(e).where(answered);
const answers = drawn.orderBy(asc(e.at), asc(e.id)).limit(ANSWERS_DRAWN).as("e");
const counted = builder.select({ id: e.id }).from(e).where(answered).limit(ANSWERS_COUNTED).as("n");
const ofEffect = and(ofIt(p), ne(p.kind, "lookup"));
const call = select({ state: p.state }).from(p).where(ofEffect).orderBy(desc(p.preparedAt)).limit(1);
const answer = select({ outcome: p.outcome }).from(p).where(ofEffect).orderBy(desc(p.preparedAt)).limit(1);
const signed = and(ofIt(n), isSaid(n));
const saying = (...words: readonly string[]): SQL =>
  sql`exists ${select({ one: sql`1` })
    .from(n)
    .where(and(signed, inArray(saidStatus(n), words)))}`;
const journalled = (outcome: string): SQL =>
  sql`exists ${select({ one: sql`1` })
    .from(p)
    .where(and(ofIt(p), eq(p.outcome, outcome)))}`;
const word = sql<
  "succeeded" | "declined" | null
>`case when ${journalled("succeeded")} or ${saying("succeeded")} then 'succeeded'
  when ${journalled("declined")} or ${saying("declined", "failed")} then 'declined' end`;
const open = subselect({
  outboxPending: countWhere(eq(m.state, "pending")),
  outboxDead: countWhere(eq(m.state, "dead")),
})
  .from(m)
  .where(ofIt(m))
  .as("open");
const inbox = subselect({
  inboxRecorded: countWhere(eq(n.state, "recorded")),
  inboxProcessed: countWhere(eq(n.state, "processed")),
  inboxDead: countWhere(eq(n.state, "dead")),
})
  .from(n)
  .where(ofIt(n))
  .as("inbox");
const inOrder = sql`array_agg(${answers.outcome} order by ${answers.at}, ${answers.id})`;
const published = and(ofIt(h), late(h.day));

const read = prepared(
  select({
    operationId: ID,
    answers: sql<AnswerOutcome[]>`coalesce(${select({ all: inOrder }).from(answers)}, '{}')`,
    answersTotal: sql<number>`${select({ count: COUNT }).from(counted)}`,
    provider: sql<(typeof p.$inferSelect)["state"] | null>`${call}`,
    answer: sql<string | null>`${answer}`,
    word,
    outboxPending: open.outboxPending,
    outboxDead: open.outboxDead,
    outboxPublished: sql<number>`${select({ count: COUNT }).from(h).where(published)}`,
    inboxRecorded: inbox.inboxRecorded,
    inboxProcessed: inbox.inboxProcessed,
    inboxDead: inbox.inboxDead,
    ledger: sql<number>`${select({ count: COUNT }).from(l).where(ofIt(l))}`,
  })
    .from(sql`unnest(${sql.placeholder("operationIds")}::uuid[]) i(id)`)
    .crossJoinLateral(open)
    .crossJoinLateral(inbox),
);

/**
 * Strips of a whole page in one statement, by the ids of the page.
 * @param since creation of the oldest operation of the page, RFC 3339: days before it are not looked at
 */
export async function selectOperationSparklines(
  q: Queryable,
  tenantId: string,
  operationIds: readonly string[],
  since: string,
) {
  return operationIds.length === 0 ? [] : read(q, { tenantId, operationIds, since });
}
