import type { OutboxMessage } from "@/db/operations/complete";
import type { LocalOperation } from "@/engine/execute/operation";
import { CLOUD_EVENTS, ENVELOPE_HEADER } from "@/engine/outbox/envelope";
import { v5 as uuidv5 } from "uuid";

/** What one call makes known: some messages about some things, in order. */
export interface CountCommand {
  /** Name of this call; ids of its messages follow from it. */
  readonly name: string;
  readonly topic: string;
  readonly aggregates: number;
  readonly messages: number;
}

const NAMESPACE = "6f3c3f62-7a53-4c7c-9b8e-2f0b8f3d5c11";
const TYPE = "crash.counted";

/** @returns the id of a message that a call writes; a call that left nothing behind and runs again writes the same */
export function countedId(tenantId: string, name: string, index: number): string {
  return uuidv5(`${tenantId}/${name}/${String(index)}`, NAMESPACE);
}

/** An operation of the suite's own, on the local path: its effect is that its messages are written down beside the outbox. */
export const countOperation: LocalOperation<CountCommand> = {
  name: "crash.count",
  path: "local",
  apiVersion: "1",
  schemaVersion: "1",
  policy: {},
  fields: ({ name, topic, aggregates, messages }) => ({
    name,
    topic,
    aggregates: String(aggregates),
    messages: String(messages),
  }),
  describe: ({ name }) => ({ reference: name }),
  async run(ctx, tx, { operationId }, { name, topic, aggregates, messages }) {
    const written = Array.from({ length: messages }, (_, index): OutboxMessage => {
      const id = countedId(ctx.tenantId, name, index);
      const data = { operationId, name, index };
      return {
        id,
        aggregateType: "counted",
        aggregateId: `${name}-${String(index % aggregates)}`,
        topic,
        type: TYPE,
        payload: { id, type: TYPE, occurredAt: new Date().toISOString(), tenant: ctx.tenantId, data },
        headers: { [ENVELOPE_HEADER]: CLOUD_EVENTS },
      };
    });
    await tx.query({
      name: "witness_made",
      text: "insert into witness.made (tenant_id, operation_id, message_id) select $1, $2, unnest($3::uuid[])",
      values: [ctx.tenantId, operationId, written.map(({ id }) => id)],
    });
    const body = Buffer.from(JSON.stringify({ name, messages }));
    return {
      state: "COMPLETED",
      messages: written,
      response: { status: 201, headers: { "content-type": "application/json" }, body },
    };
  },
};
