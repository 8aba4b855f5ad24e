import { createConsumers } from "@/tests/support/payments";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { withRecorder } from "../child/recorder-consumer";
import type { CrashEnvironment } from "../environment";

type Place = Pick<CrashEnvironment, "db">;

/** The attempt at which a message that passes is handled. */
const PASSES_AT = 4;
/** Types of our own events in the suite. */
const TYPES = ["payment.succeeded", "refund.succeeded", "payment.voided", "account.opened", "crash.counted"];

/**
 * Makes every next attempt due, except where an open transaction holds the message.
 *
 * @param whose leases run out now too, or only messages that nobody holds are meant
 */
export async function expireMessageLeases(
  { db }: Place,
  tenant: string,
  whose: "leased" | "free" = "leased",
): Promise<void> {
  for (const [table, waiting] of [
    ["outbox_messages", "state = 'pending'"],
    ["inbox_open", "true"],
  ] as const) {
    await db.pool.query({
      text: `update onceboard.${table} m
             set locked_until = case when m.locked_until is not null then clock_timestamp() - interval '1 second' end,
                 next_attempt_at = clock_timestamp()
             where m.tenant_id = $1 and m.id in (
               select d.id from onceboard.${table} d where d.tenant_id = $1 and ${waiting} and ($2 or (d.owner is null and d.next_attempt_at > clock_timestamp()))
               for update skip locked)`,
      values: [tenant, whose === "leased"],
    });
  }
}

/** @returns messages that are still on their way */
export async function countOpenMessages({ db }: Place, tenant: string, what: "all" | "events"): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>({
    name: "open_messages",
    text: `select ((select count(*) from onceboard.outbox_messages m
                    where m.tenant_id = $1 and m.state = 'pending' and ($2 or m.topic <> 'mail'))
                 + (select count(*) from onceboard.inbox_open i where i.tenant_id = $1))::integer as count`,
    values: [tenant, what === "all"],
  });
  return rows[0]?.count ?? 0;
}

/** @returns what is still on its way, with all that says why */
export async function openMessages({ db }: Place, tenant: string): Promise<object[]> {
  const { rows } = await db.pool.query<{ message: object }>({
    text: `select to_jsonb(m) - 'payload' - 'body' || jsonb_build_object('side', 'outbox') as message
             from onceboard.outbox_messages m where m.tenant_id = $1 and m.state = 'pending'
           union all
           select to_jsonb(i) - 'payload' - 'body' || jsonb_build_object('side', 'inbox')
             from onceboard.inbox_open i where i.tenant_id = $1`,
    values: [tenant],
  });
  return rows.map(({ message }) => message);
}

/** Records who subscribes to what, as the product's registry and the suite's own have it. */
export async function subscribe({ db }: Place): Promise<void> {
  const consumers = withRecorder(createConsumers({ provider: () => undefined }));
  for (const type of TYPES) {
    await db.pool.query({
      text: "insert into witness.subscriptions (type, consumer) select $1, unnest($2::text[]) on conflict do nothing",
      values: [type, consumers.consumersOf(OWN_SOURCE, type)],
    });
  }
}

/**
 * Makes the first message of the tenant's outbox hard to handle.
 *
 * @param how its consumer throws for a while or for ever, or its process ends each time
 * @returns id of the message
 */
export async function makeTrouble({ db }: Place, tenant: string, how: "passes" | "stays" | "exits"): Promise<string> {
  const { rows } = await db.pool.query<{ message_id: string }>({
    text: `insert into witness.troubles (tenant_id, message_id, kind, until_attempt)
           select $1, m.id::text, $2, $3 from onceboard.outbox_messages m where m.tenant_id = $1
           order by m.position limit 1
           returning message_id`,
    values: [tenant, how === "exits" ? "exit" : "throw", how === "passes" ? PASSES_AT : null],
  });
  const [made] = rows;
  if (made === undefined) throw new Error("there is no message to make hard");
  return made.message_id;
}

export async function endTrouble({ db }: Place, tenant: string, messageId: string | undefined): Promise<void> {
  await db.pool.query({
    text: "delete from witness.troubles where tenant_id = $1 and message_id = $2",
    values: [tenant, messageId],
  });
}

/** @returns rows of the inbox that are dead, of one message or of all */
export async function deadOf({ db }: Place, tenant: string, messageId?: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>({
    text: `select id from onceboard.inbox_messages
           where tenant_id = $1 and state = 'dead' and ($2::text is null or message_id = $2)`,
    values: [tenant, messageId ?? null],
  });
  return rows.map(({ id }) => id);
}

/** As after a failed attempt: the messages are handled one by one. */
export async function markAlone({ db }: Place, tenant: string): Promise<void> {
  await db.pool.query({
    text: "update onceboard.inbox_open set alone = true where tenant_id = $1",
    values: [tenant],
  });
}

/** From now on nothing of the tenant may be on its way. */
export async function markDrained({ db }: Place, tenant: string): Promise<void> {
  await db.pool.query({
    text: "insert into witness.drained (tenant_id) values ($1) on conflict do nothing",
    values: [tenant],
  });
}
