import { createHash } from "node:crypto";
import { outboxBody, type EnvelopeSource } from "@/engine/outbox/envelope";

interface Held extends EnvelopeSource {
  readonly consumer: string;
  readonly tenant_id: string;
  readonly arrived: string;
  readonly kept: string;
}

const SENT = ["outbox_history", "outbox_messages"].map(
  (table) =>
    `select tenant_id, id, type, aggregate_type, aggregate_id, payload, headers, created_at, position from onceboard.${table}
     where right(id::text, 1) = '0' or type = 'account.default_currency_changed'`,
);
const HELD = `select m.*, i.consumer, encode(i.payload_hash, 'hex') as kept, encode(a.payload_hash, 'hex') as arrived
  from (${SENT.join(" union all ")}) m
  join onceboard.inbox_messages i on i.tenant_id = m.tenant_id and i.message_id = m.id::text and i.source = 'onceboard'
  join onceboard.inbox_arrivals a on a.tenant_id = i.tenant_id and a.inbox_id = i.id`;

/**
 * Looks at one message in sixteen, and at the three that are made one by one.
 *
 * @param read as the owner: it takes longer than a process may
 * @returns rows of the inbox, or arrivals of them, whose hash is not that of what their message is sent as: type and consumer, three at the most
 * @throws Error when there are none to look at
 */
export async function wrongHashes(read: (text: string) => Promise<Held[]>): Promise<string[]> {
  const rows = await read(HELD);
  if (rows.length === 0) throw new Error("no inbox holds a message");
  const wrong = rows.filter((row) => {
    const hash = createHash("sha256").update(outboxBody(row.tenant_id, row)).digest("hex");
    return row.kept !== hash || row.arrived !== hash;
  });
  return wrong.slice(0, 3).map(({ id, type, consumer }) => `${consumer} ${type} ${id}`);
}
