/** A message as a broker gave it, and the three answers to it. None throws: a connection that is gone says it by redelivering. */
export interface BrokerMessage {
  readonly body: Uint8Array;
  /** @param name in small letters */
  header(name: string): string | undefined;
  /** Where a person finds it at a broker that keeps it: `topic/partition@offset`. */
  readonly position?: string;
  /** It is recorded: the broker forgets it. Only after the commit (I4). */
  accept(): void;
  /** It is not taken, now or ever: the broker delivers it no more. */
  refuse(): void;
  /** It could not be recorded now: the broker delivers it again. */
  giveBack(): void;
}

/** Names of the brokers that we consume from. */
export type BrokerName = "nats" | "rabbitmq" | "kafka";

/** Gives an answer. On a connection that is gone it is lost: the broker delivers the message again, and that is a duplicate. */
export function giveAnswer(say: () => void): void {
  try {
    say();
  } catch {
    // See above.
  }
}
