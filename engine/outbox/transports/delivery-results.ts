import type { DeliveryResult } from "../transport";

/** What brokers' transports say, in one wording for both. */
export const ACKNOWLEDGED: DeliveryResult = { kind: "acknowledged" };

/** @param reason a system's code, never an address */
export function brokerDown(reason: string): DeliveryResult {
  return { kind: "unavailable", code: "delivery.broker_unavailable", reason: `The broker is not there: ${reason}` };
}

export function noAnswer(): DeliveryResult {
  return { kind: "failed", code: "delivery.timeout", reason: "The broker did not confirm in time" };
}

/** The operator's setting of a topic cannot be used: the topic rests until it is corrected. */
export function badDestination(reason: string): DeliveryResult {
  return { kind: "unavailable", code: "delivery.bad_destination", reason };
}

export function tooLarge(): DeliveryResult {
  return { kind: "rejected", code: "delivery.too_large", reason: "The broker takes no message of this size" };
}
