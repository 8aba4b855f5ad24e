import { setTimeout as delay } from "node:timers/promises";
import { createDatabase, type Database } from "@/db/client";

const SETTLE_MS = 120_000;
const POLL_MS = 250;

export interface UpgradeCase {
  readonly ownerUrl: string;
  readonly sandboxPort: string;
  readonly kept: readonly { readonly key: string; readonly body: string }[];
}

/** Counts effects where they stand: at the provider, in the tables of the business, in what waits. @returns violations in words */
export async function judgeUpgrade({ ownerUrl, sandboxPort, kept }: UpgradeCase): Promise<string[]> {
  const db = createDatabase({ url: ownerUrl, max: 1, role: "owner" });
  try {
    return [...(await settled(db)), ...(await charged(sandboxPort, kept)), ...(await recorded(db, kept))];
  } finally {
    await db.close();
  }
}

/** Until nothing is open and every message arrived. */
async function settled(db: Database): Promise<string[]> {
  const until = Date.now() + SETTLE_MS;
  let left: Record<string, number> = {};
  do {
    const { rows } = await db.pool.query<Record<string, number>>({
      text: `select (select count(*)::int from onceboard.idempotency_open) as "open operations",
        (select count(*)::int from onceboard.outbox_messages) as "messages that wait in the outbox",
        (select count(*)::int from onceboard.inbox_open) as "messages that wait in the inbox",
        (select count(*)::int from onceboard.dead_letters where settled_at is null) as "dead letters"`,
    });
    left = rows[0] ?? {};
    if (Object.values(left).every((count) => count === 0)) return [];
    await delay(POLL_MS);
  } while (Date.now() < until);
  return Object.entries(left)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${String(count)} ${what} at the end`);
}

/** Each key has an amount of its own, by which the provider's own list is held against the callers' memory. */
async function charged(port: string, kept: UpgradeCase["kept"]): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/_control/ledger`);
  const { entries } = (await answer.json()) as { readonly entries: readonly { readonly amount: string | number }[] };
  const counts = new Map<string, number>();
  for (const { amount } of entries) counts.set(String(amount), (counts.get(String(amount)) ?? 0) + 1);
  const twice = [...counts]
    .filter(([, count]) => count > 1)
    .map(([amount, count]) => `${amount} was charged ${String(count)} times`);
  return entries.length === kept.length
    ? twice
    : [...twice, `${String(entries.length)} charges for ${String(kept.length)} keys`];
}

async function recorded(db: Database, kept: UpgradeCase["kept"]): Promise<string[]> {
  const { rows } = await db.pool.query<{ keys: number; payments: number; messages: number }>({
    text: `select (select count(*)::int from onceboard.idempotency_requests
        where operation = 'payments.create' and state = 'COMPLETED' and key = any($1)) as keys,
      (select count(*)::int from payments.payments) as payments,
      (select count(distinct operation_id)::int from onceboard.outbox_history h join onceboard.idempotency_requests r using (operation_id)
        where r.key = any($1)) as messages`,
    values: [kept.map(({ key }) => key)],
  });
  const found = rows[0] ?? { keys: 0, payments: 0, messages: 0 };
  return (["keys", "payments", "messages"] as const)
    .filter((what) => found[what] !== kept.length)
    .map((what) => `${String(found[what])} ${what} for ${String(kept.length)} keys`);
}
