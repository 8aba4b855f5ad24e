import type { Queryable } from "@/db/client";
import type { EngineContext } from "../context";

/** A message as a consumer sees it. */
export interface InboxMessage {
  readonly id: string;
  readonly source: string;
  readonly messageId: string;
  readonly type: string;
  readonly operationId: string | undefined;
  /** What the sender wrote; a consumer checks its shape itself. */
  readonly payload: unknown;
  /** From 1. */
  readonly attempt: number;
}

/** What became of a message, in a few words for the inbox page: `ok`, `already posted`, `ignored` … */
export type HandledResult = string;

interface ConsumerBase {
  readonly name: string;
  subscribes(source: string, type: string): boolean;
}

/** Its effect and the mark `processed` are one transaction: exactly one effect, whatever dies when. */
export interface TransactionalConsumer extends ConsumerBase {
  readonly path: "transaction";
  /**
   * For consumers that want only the newest state of an aggregate: an older version that comes late is not handled.
   * @returns undefined for messages that carry no version; they are all handled
   */
  versionOf?(message: InboxMessage): { readonly aggregate: string; readonly version: bigint } | undefined;
  handle(ctx: EngineContext, tx: Queryable, message: InboxMessage): Promise<HandledResult>;
}

/** Crosses to somewhere else, so it runs outside a transaction and must be idempotent by itself. */
export interface IdempotentConsumer extends ConsumerBase {
  readonly path: "idempotent";
  handle(ctx: EngineContext, message: InboxMessage): Promise<HandledResult>;
}

export type Consumer = TransactionalConsumer | IdempotentConsumer;

/** Whoever takes a message that nobody subscribed to: it is kept, and nothing is done. */
export const DEFAULT_CONSUMER = "default";

export type ConsumerRegistry = ReturnType<typeof createConsumerRegistry>;

export function createConsumerRegistry(consumers: readonly Consumer[]) {
  const byName = new Map(consumers.map((consumer) => [consumer.name, consumer]));
  return {
    consumersOf(source: string, type: string): readonly string[] {
      const names = consumers.filter((consumer) => consumer.subscribes(source, type)).map((consumer) => consumer.name);
      return names.length > 0 ? names : [DEFAULT_CONSUMER];
    },
    /** Whose messages this process takes: those of a consumer elsewhere, a service's for example, are left to it. */
    names: [...byName.keys(), DEFAULT_CONSUMER] as readonly string[],
    byName: (name: string): Consumer | undefined => byName.get(name),
  };
}

/** Thrown by a handler that has to wait for somebody: the message comes back later and no attempt is counted. */
export class PostponeError extends Error {
  readonly delayMs: number;
  constructor(why: string, delayMs: number) {
    super(why);
    this.name = "PostponeError";
    this.delayMs = delayMs;
  }
}
