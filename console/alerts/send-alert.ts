import type { Queryable } from "@/db/client";
import { insertOutboxMessage } from "@/db/outbox/insert-outbox-message";
import type { AlertDestinationKind } from "@/domain/alerts/rules";
import type { AlertFacts } from "@/presentation/alerts/alert-message";
import type { EngineContext } from "@/engine/context";
import { derivedId } from "@/engine/derived-id";
import { originHeaders } from "@/engine/outbox/publish";
import { alertTopic } from "./destination-secret";

export interface AlertNotice extends AlertFacts {
  /** Of the alert, the same as long as it lasts. */
  readonly alertId: string;
  readonly level: number;
  readonly since: Date;
  readonly at: Date;
}

/**
 * Writes one message for one destination, in the transaction that changes the alert. Its id is that of the alert, the destination, the
 * news and the level, so it is written once. Messages of one alert to one destination keep their order.
 */
export async function sendAlert(
  ctx: EngineContext,
  tx: Queryable,
  to: { readonly id: string; readonly kind: AlertDestinationKind },
  { since, at, value, limit, ...notice }: AlertNotice,
): Promise<void> {
  const { alertId, news, level } = notice;
  await insertOutboxMessage(tx, {
    tenantId: ctx.tenantId,
    id: derivedId(alertId, `alert:${to.id}:${news}:${String(level)}`),
    operationId: undefined,
    aggregateType: "alert",
    aggregateId: `${alertId}/${to.id}`,
    topic: alertTopic(to),
    type: `alert.${news}`,
    payload: {
      ...notice,
      value: value.toString(),
      limit: limit.toString(),
      since: since.toISOString(),
      at: at.toISOString(),
    },
    headers: originHeaders(ctx),
  });
}
