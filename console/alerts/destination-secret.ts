import { ALERT_TOPIC_PREFIX } from "@/domain/messages/topic-label";
import type { AlertDestinationKind } from "@/domain/alerts/rules";
import type { BodyKeyring } from "@/engine/bodies/body-keyring";

/** One destination of one tenant. */
export interface DestinationName {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: AlertDestinationKind;
}

const binding = ({ tenantId, id, kind }: DestinationName): readonly string[] => [
  "alert destination",
  tenantId,
  id,
  kind,
];

/** Sealed by ENCRYPTION_KEYS, for this destination only. @param target address of a webhook, routing key or e-mail address */
export function sealTarget(keyring: BodyKeyring, of: DestinationName, target: string): Buffer {
  return keyring.sealSecret(Buffer.from(target), binding(of));
}

/** @throws Error when it was sealed for something else */
export function openTarget(keyring: BodyKeyring, of: DestinationName, sealed: Buffer): string {
  return keyring.openSecret(sealed, binding(of)).toString();
}

/** @returns the topic of messages for a destination: each rests and is seen by itself */
export function alertTopic({ kind, id }: Pick<DestinationName, "kind" | "id">): string {
  return `${ALERT_TOPIC_PREFIX}${kind}:${id}`;
}

/** @returns the destination's id, or undefined for any other topic */
export function destinationOfTopic(topic: string): string | undefined {
  return topic.startsWith(ALERT_TOPIC_PREFIX) ? topic.split(":").at(2) : undefined;
}
