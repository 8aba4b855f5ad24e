import { startNats, startRabbitmq, type TestBroker } from "@/engine/testing/brokers";
import { findKafka, startKafka } from "@/engine/testing/kafka/broker";

/** What the soak's messages may leave over. */
export const SOAK_BROKERS = ["rabbitmq", "nats", "kafka"] as const;
export type SoakBroker = (typeof SOAK_BROKERS)[number];

export const isSoakBroker = (name: string): name is SoakBroker => (SOAK_BROKERS as readonly string[]).includes(name);

/** @throws Error in one sentence where this machine does not have it */
export function startSoakBroker(name: SoakBroker): Promise<TestBroker> {
  if (name === "rabbitmq") return startRabbitmq();
  if (name === "nats") return startNats();
  const programs = findKafka();
  if (typeof programs === "string") throw new Error(programs);
  return startKafka(programs);
}

/** @returns variables of the processes of the deployment */
export function brokerVariables(name: SoakBroker, url: string): Readonly<Record<string, string>> {
  return { [`${name.toUpperCase()}_URL`]: url, OUTBOX_TRANSPORT: name };
}
