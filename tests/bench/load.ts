import { connect, type Socket } from "node:net";
import { processorTime } from "./processor-time";

export interface LoadRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LoadOptions {
  readonly port: number;
  /** Process of the host. */
  readonly pid: number;
  readonly connections: number;
  readonly durationMs: number;
  /** @returns the next request; called once for each, so keys can be new ones */
  next(): LoadRequest;
  /** Any other status fails the measurement: an error answered fast is no throughput. */
  readonly expectedStatus: number;
}

export interface Measured {
  readonly perSecond: number;
  readonly count: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time of the host per answer: hardly moved by what else the machine does. */
  readonly cpuMicroseconds?: number | undefined;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const CHUNKED_END = Buffer.from("0\r\n\r\n");

/**
 * Keeps one request in flight on each connection and counts the answers within the time. Plain sockets, because the load
 * shares the cores with what it measures.
 */
export async function load(options: LoadOptions): Promise<Measured> {
  const latencies: number[] = [];
  const cpuBefore = processorTime(options.pid);
  const begin = performance.now();
  const end = begin + options.durationMs;
  await Promise.all(Array.from({ length: options.connections }, () => drive(options, end, latencies)));
  const seconds = (performance.now() - begin) / 1_000;
  const cpuAfter = processorTime(options.pid);
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / latencies.length;
  return { ...summary(latencies, seconds), cpuMicroseconds: cpu };
}

export function summary(latencies: number[], seconds: number): Measured {
  latencies.sort((a, b) => a - b);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { perSecond: latencies.length / seconds, count: latencies.length, p50: at(0.5), p99: at(0.99) };
}

function drive(options: LoadOptions, end: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: options.port, host: "127.0.0.1", noDelay: true });
    let pending: Buffer = Buffer.alloc(0);
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      if (sentAt < end) socket.write(rendered(options.next()));
      else finish(socket, resolve);
    };
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed a connection")));
    socket.on("data", (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const status = statusOfWhole(pending);
      if (status === undefined) return;
      if (status !== options.expectedStatus) {
        socket.destroy();
        reject(
          new Error(`expected status ${options.expectedStatus}, got: ${pending.toString("utf8").slice(0, 2_000)}`),
        );
        return;
      }
      pending = Buffer.alloc(0);
      latencies.push(performance.now() - sentAt);
      send();
    });
  });
}

function finish(socket: Socket, resolve: () => void): void {
  socket.removeAllListeners("close");
  socket.end();
  resolve();
}

function rendered(request: LoadRequest): string {
  let text = `POST ${request.path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`;
  for (const [name, value] of Object.entries(request.headers)) text += `${name}: ${value}\r\n`;
  return `${text}content-length: ${Buffer.byteLength(request.body)}\r\n\r\n${request.body}`;
}

/** @returns the status once the whole answer is here. */
function statusOfWhole(answer: Buffer): number | undefined {
  const headEnd = answer.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = answer.toString("latin1", 0, headEnd).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  const whole =
    length === undefined
      ? answer.subarray(-CHUNKED_END.length).equals(CHUNKED_END)
      : answer.length >= headEnd + 4 + Number(length);
  return whole ? Number(head.slice(9, 12)) : undefined;
}
