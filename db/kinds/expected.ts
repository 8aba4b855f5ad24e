import { sql } from "drizzle-orm";

/**
 * What is registered of operations, for conditions of statements: names of kinds are a select of one column, the others are arrays, which
 * PostgreSQL reads once before it plans a probe of an index by them. As selects they were joined first, and tables walked for it.
 */

/** Names of kinds that take money. */
export const CHARGING_KINDS = sql`(select k.name from onceboard.operation_kinds k where k.expects ->> 'money' = 'takes')`;

/** Kinds of ledger entries that kinds of operations expect, as an array: the index of an entry's source begins with it. */
export const ENTRY_KINDS = sql`array(select distinct k.expects ->> 'entry' from onceboard.operation_kinds k where k.expects ? 'entry')`;

/** Consumers that post entries. */
export const POSTING_CONSUMERS = sql`array(select k.expects ->> 'postedBy' from onceboard.operation_kinds k where k.expects ? 'postedBy')`;

/** Types of events for which one of these consumers posts an entry. */
export const POSTED_EVENTS = sql`array(select k.expects ->> 'event' from onceboard.operation_kinds k where k.expects ? 'postedBy' and k.expects ? 'event')`;
