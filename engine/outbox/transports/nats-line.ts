import { connect, nanos, type ConnectionOptions, type NatsConnection } from "@nats-io/transport-node";
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from "@nats-io/jetstream";
import { settledWithin } from "@/domain/with-timeout";
import type { BrokerLine } from "./link";

/** The stream of all our events, and the durable consumer that feeds the inbox. */
export const NATS_STREAM = "ONCEBOARD";
export const NATS_SUBJECTS = "onceboard";
export const NATS_INBOX = "onceboard-inbox";
/** Of the stream, as far as we make it: beyond it the server refuses new messages and drops no old one. */
export const NATS_STREAM_MAX_BYTES = 1_073_741_824;
/** How long the server knows message ids; beyond it the inbox does. */
export const NATS_DUPLICATE_WINDOW_MS = 120_000;
/** A message that is not acknowledged by then is delivered again; longer than a batch and its retries. */
export const NATS_ACK_WAIT_MS = 60_000;
/** Delivered and not yet acknowledged, over all workers. */
export const NATS_MAX_ACK_PENDING = 1_000;
const CONNECT_MS = 2_000;
const API_MS = 3_000;
/** A server that hangs is noticed after three of these. */
const PING_MS = 3_000;
const PINGS_OUT = 2;
const DRAIN_MS = 2_000;

const NOT_FOUND = new Set([10_014, 10_059]);
const NO_ROOM = new Set([10_028, 10_047]);
/** Somebody else made it in the same moment. */
const ALREADY_THERE = new Set([10_058, 10_065, 10_105, 10_148]);

/** Limits of a stream that we make; one that is there already keeps its own. */
export type NatsLimits = Partial<Pick<StreamConfig, "max_bytes" | "max_msgs" | "duplicate_window">>;

/**
 * Connects once; a line that is lost is not mended, its owner opens another.
 *
 * @param url `nats://user:password@host:port`, several separated by commas; `tls://` wants encryption
 * @throws whatever the client says within some seconds
 */
export async function dialNats(url: string): Promise<BrokerLine<NatsConnection>> {
  const connection = await connect({
    ...natsOptions(url),
    reconnect: false,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: PINGS_OUT,
    name: "onceboard",
    noAsyncTraces: true,
  });
  return {
    value: connection,
    lost: connection.closed().then(() => undefined),
    close: () => closed(connection),
  };
}

/**
 * What was published is flushed first; a server that hangs gets no longer than a moment. The client's own promises do not
 * settle when the server goes while they wait, so none of them is waited for alone.
 */
async function closed(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return;
  await settledWithin(Promise.race([connection.drain(), connection.closed()]), DRAIN_MS);
  await settledWithin(Promise.race([connection.close(), connection.closed()]), DRAIN_MS);
}

function natsOptions(url: string): ConnectionOptions {
  const servers = url.split(",").map((each) => new URL(each.trim()));
  const [first] = servers;
  const user = decodeURIComponent(first?.username ?? "");
  const pass = decodeURIComponent(first?.password ?? "");
  return {
    servers: servers.map(({ host }) => host),
    ...(user !== "" && (pass === "" ? { token: user } : { user, pass })),
    ...(servers.some(({ protocol }) => protocol === "tls:") && { tls: {} }),
  };
}

/**
 * Makes the stream and the inbox's durable consumer when they are missing, and changes neither when they are there. The
 * stream keeps a message until every consumer has acknowledged it, so the inbox's is made with it: without one nothing
 * would be kept.
 */
export async function ensureNatsStream(connection: NatsConnection, limits: NatsLimits = {}): Promise<JetStreamManager> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: API_MS });
  await ensure(
    () => manager.streams.info(NATS_STREAM),
    () => addStream(manager, limits),
  );
  await ensure(
    () => manager.consumers.info(NATS_STREAM, NATS_INBOX),
    () =>
      manager.consumers.add(NATS_STREAM, {
        durable_name: NATS_INBOX,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(NATS_ACK_WAIT_MS),
        max_ack_pending: NATS_MAX_ACK_PENDING,
        // For ever: whether a message is given up is decided by the inbox, where a person sees it.
        max_deliver: -1,
      }),
  );
  return manager;
}

async function addStream(manager: JetStreamManager, limits: NatsLimits): Promise<void> {
  const config = {
    name: NATS_STREAM,
    subjects: [`${NATS_SUBJECTS}.>`],
    retention: RetentionPolicy.Interest,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(NATS_DUPLICATE_WINDOW_MS),
    ...limits,
  };
  try {
    await manager.streams.add({ max_bytes: NATS_STREAM_MAX_BYTES, ...config });
  } catch (error) {
    // A small server reserves what a stream may need: then its own limit is the bound.
    if (!isCode(error, NO_ROOM)) throw error;
    await manager.streams.add(config);
  }
}

async function ensure(look: () => Promise<unknown>, make: () => Promise<unknown>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!isCode(error, NOT_FOUND)) throw error;
    await make().catch((failure: unknown) => {
      if (!isCode(failure, ALREADY_THERE)) throw failure;
    });
  }
}

function isCode(error: unknown, codes: ReadonlySet<number>): boolean {
  return error instanceof JetStreamApiError && codes.has(error.code);
}
