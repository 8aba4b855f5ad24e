import { describe, expect, it } from "vitest";
import { BACK_WITHIN_MS, type BrokerDesk, type BrokerKind } from "./broker-desk";
import { startCuttingProxy } from "./cutting-proxy";

/** Bytes of the broker before its connection is reset: in its greeting, in the sign-in, in what is said of streams and queues. */
const AFTER_BYTES = [0, 1, 7, 30, 100, 300, 600, 1_200];
/** Of the sender and of the inbox. */
const CONNECTIONS = 4;

/**
 * Whenever a connection is reset: the message is sent and handled in the end, and nothing escapes that would end a process.
 * Kafka's clients go on at the address that the broker gives them, so that only their first contact comes by here.
 */
export function describeResets(kind: BrokerKind, desk: () => BrokerDesk): void {
  describe("a connection that is reset", () => {
    it.each(AFTER_BYTES)(
      "after %i bytes is made again",
      async (afterBytes) => {
        const { broker, env, message, subscribe, arrived } = desk();
        const escaped: Error[] = [];
        const onEscaped = (error: Error): void => void escaped.push(error);
        process.on("uncaughtException", onEscaped);
        const proxy = await startCuttingProxy(broker.port, afterBytes, CONNECTIONS);
        const url = broker.url.replace(`:${String(broker.port)}`, `:${String(proxy.port)}`);
        const transport = kind.transport(url);
        try {
          subscribe(env.base, url);
          const delivery = message();
          const send = async () =>
            (await transport.deliver(env.context(), delivery, { timeoutMs: 2_000, destination: undefined })).kind;
          await expect.poll(send, { timeout: BACK_WITHIN_MS }).toBe("acknowledged");
          expect((await arrived(delivery.id)).state).toBe("recorded");
          expect(proxy.cuts()).toBeGreaterThan(0);
          expect(escaped).toEqual([]);
        } finally {
          await transport.close();
          await desk().unsubscribe();
          await proxy.stop();
          process.removeListener("uncaughtException", onEscaped);
        }
      },
      60_000,
    );
  });
}
