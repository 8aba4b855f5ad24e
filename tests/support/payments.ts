import { createConsumerRegistry, type ConsumerRegistry } from "@/engine/inbox/consumer";
import type { OperationRegistry } from "@/engine/execute/operation";
import { joinModules, registryOf, type Modules } from "@/engine/module/load";
import { webhooksConsumer } from "@/engine/outbox/webhooks/consumer";
import { paymentConsumers } from "@/payments/consumers";
import { EVENTS } from "@/payments/event-types";
import { operationEntries, type Operations } from "@/payments/operations";

/** Types of events of the example business. */
export const EVENT_TYPES: readonly string[] = Object.keys(EVENTS);

/** Who takes which messages where the example business runs. */
export function createConsumers(operations: OperationRegistry): ConsumerRegistry {
  return createConsumerRegistry([...paymentConsumers(operations), webhooksConsumer(EVENTS)]);
}

/** The example business as modules of a process, without its routes and destinations. */
export function paymentModules(operations: Operations): Modules {
  const entries = operationEntries(operations);
  const consumers = paymentConsumers(registryOf(entries));
  return joinModules({ modules: [{ name: "payments", operations: entries, consumers, events: EVENTS }] });
}
