import { errors, headers as natsHeaders, type MsgHdrs, type NatsConnection } from "@nats-io/transport-node";
import { jetstream, JetStreamApiError, type JetStreamClient } from "@nats-io/jetstream";
import type { DeliveryResult, Transport } from "../transport";
import { brokerHeaders, word } from "./broker-headers";
import { createLink, prepare, reasonOf, type BrokerLine } from "./link";
import { dialNats, ensureNatsStream, NATS_SUBJECTS, type NatsLimits } from "./nats-line";
import { ACKNOWLEDGED, badDestination, brokerDown, noAnswer, tooLarge } from "./delivery-results";
import { createSigner, type Signer } from "./sign";

/** Publications of one topic under way at once: acknowledgements come back in any order. */
export const NATS_CONCURRENCY = 64;
/** A full subject: words of visible characters, no wildcard. */
const SUBJECT = /^(?!\$)[^\s.*>]+(?:\.[^\s.*>]+)*$/;
const MAX_SUBJECT_LENGTH = 255;
/** JetStream's own numbers: the message, not the moment, is what the stream does not take. */
const MESSAGE_TOO_LARGE = 10_054;

export interface NatsTransportOptions {
  /** `nats://host:4222`, several servers separated by commas. */
  readonly url: string;
  /** Of the stream, when it is missing and made here. */
  readonly limits?: NatsLimits;
  readonly signer?: Signer;
}

interface Publisher {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
}

/** @returns where messages of a topic of a tenant go when the operator named no other subject. */
export function natsSubject(tenantId: string, topic: string): string {
  return `${NATS_SUBJECTS}.${word(tenantId)}.${word(topic)}`;
}

/**
 * Publishes to NATS JetStream and takes the stream's acknowledgement for the delivery's. `Nats-Msg-Id` is the
 * message's id, so a resend within the stream's window is stored once, and is acknowledged like the first. The connection is
 * made when it is first needed and made again after it was lost.
 */
export function createNatsTransport(options: NatsTransportOptions): Transport {
  const signer = options.signer ?? createSigner();
  const link = createLink(async (): Promise<BrokerLine<Publisher>> => {
    const line = await dialNats(options.url);
    await prepare(line, () => ensureNatsStream(line.value, options.limits));
    return { ...line, value: { connection: line.value, client: jetstream(line.value) } };
  });
  return {
    name: "nats",
    concurrency: NATS_CONCURRENCY,
    async deliver(ctx, delivery, { timeoutMs, destination }) {
      const subject = destination ?? natsSubject(ctx.tenantId, delivery.topic);
      if (!SUBJECT.test(subject) || subject.length > MAX_SUBJECT_LENGTH) {
        return badDestination("The destination is not a subject of NATS");
      }
      const headers = headersOf(await brokerHeaders(ctx, signer, delivery));
      let line: BrokerLine<Publisher>;
      try {
        line = await link.line(timeoutMs);
      } catch (error) {
        return brokerDown(reasonOf(error));
      }
      try {
        // A duplicate is acknowledged too: the stream has it.
        await line.value.client.publish(subject, delivery.body, { msgID: delivery.id, headers, timeout: timeoutMs });
        return ACKNOWLEDGED;
      } catch (error) {
        // Nobody keeps our own subjects: somebody removed the stream, and the next line makes it anew.
        if (isKeptByNobody(error) && destination === undefined) await line.close();
        return classify(error, line.value.connection);
      }
    },
    close: () => link.close(),
  };
}

function headersOf(values: Readonly<Record<string, string>>): MsgHdrs {
  const headers = natsHeaders();
  for (const [name, value] of Object.entries(values)) headers.set(name, value);
  return headers;
}

/** No stream listens on the subject. */
function isKeptByNobody(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof errors.RequestError && cause.isNoResponders();
}

function classify(error: unknown, connection: NatsConnection): DeliveryResult {
  if (connection.isClosed()) return brokerDown("the connection was lost");
  if (error instanceof errors.TimeoutError) return noAnswer();
  if (isKeptByNobody(error)) return badDestination("No stream of the broker keeps this subject");
  if (error instanceof JetStreamApiError) {
    if (error.code === MESSAGE_TOO_LARGE) return tooLarge();
    return { kind: "failed", code: `delivery.nats_${String(error.code)}`, reason: "The stream refused the message" };
  }
  const cause = error instanceof errors.RequestError ? error.cause : error;
  if (cause instanceof errors.InvalidArgumentError) return tooLarge();
  if (cause instanceof errors.PermissionViolationError) {
    return { kind: "failed", code: "delivery.forbidden", reason: "This user of the broker may not publish there" };
  }
  return { kind: "failed", code: "delivery.broker_error", reason: `The publication failed: ${reasonOf(error)}` };
}
