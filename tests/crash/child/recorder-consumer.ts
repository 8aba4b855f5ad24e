import type { Queryable } from "@/db/client";
import { AppError } from "@/domain/errors";
import {
  createConsumerRegistry,
  DEFAULT_CONSUMER,
  type ConsumerRegistry,
  type InboxMessage,
  type TransactionalConsumer,
} from "@/engine/inbox/consumer";
import type { EngineContext } from "@/engine/context";
import { OWN_SOURCE } from "@/engine/inbox/event-source";

/** Writes an effect of the suite's own consumer, without any key that would hide a second one. */
export type WriteEffect = (ctx: EngineContext, tx: Queryable, message: InboxMessage) => Promise<string | undefined>;

/** @returns the trouble that this message makes, if any */
export const writeEffect: WriteEffect = async (ctx, tx, message) => {
  const { rows } = await tx.query<{ trouble: string | null }>({
    name: "witness_effect",
    text: `insert into witness.effects (tenant_id, consumer, message_id, inbox_id) values ($1, 'witness', $2, $3)
           returning (select t.kind from witness.troubles t where t.tenant_id = $1 and t.message_id = $2
             and (t.until_attempt is null or $4 < t.until_attempt)) as trouble`,
    values: [ctx.tenantId, message.messageId, message.id, message.attempt],
  });
  return rows[0]?.trouble ?? undefined;
};

/** Takes every event of ours; some it cannot handle, and some end its process, as `witness.troubles` says. */
export function recorderConsumer(write: WriteEffect = writeEffect): TransactionalConsumer {
  return {
    name: "witness",
    path: "transaction",
    subscribes: (source) => source === OWN_SOURCE,
    async handle(ctx, tx, message) {
      const trouble = await write(ctx, tx, message);
      if (trouble === "exit") process.kill(process.pid, "SIGKILL");
      if (trouble !== undefined) throw new AppError("witness.trouble", 500, "A message that cannot be handled");
      return "ok";
    },
  };
}

/** @returns the consumers of the product, and the suite's own beside them */
export function withRecorder(product: ConsumerRegistry, write?: WriteEffect): ConsumerRegistry {
  const own = createConsumerRegistry([recorderConsumer(write)]);
  return {
    consumersOf(source, type) {
      const all = [...product.consumersOf(source, type), ...own.consumersOf(source, type)];
      const named = all.filter((name) => name !== DEFAULT_CONSUMER);
      return named.length > 0 ? named : [DEFAULT_CONSUMER];
    },
    names: [...product.names, ...own.names],
    byName: (name) => product.byName(name) ?? own.byName(name),
  };
}
