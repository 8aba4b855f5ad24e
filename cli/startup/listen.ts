import { createServer as createProbe } from "node:net";
import type { Server } from "node:http";
import { refuseTunnel } from "@/http/guard/request-line";
import { answerUnreadable } from "@/http/guard/unreadable";

/** How long answers under way may take once the server no longer accepts connections. */
export const DRAIN_LIMIT_MS = 7_000;
/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 75_000;
const REQUEST_LIMIT_MS = 60_000;
const HEADERS_LIMIT_MS = 15_000;

/** Where a server is to be reached. */
export interface ListenPlace {
  readonly port: number;
  /** Name or address of this machine; all of its addresses when left out. */
  readonly host?: string | undefined;
  /** The environment variable that sets the port; PORT when left out. */
  readonly variable?: string;
}

/**
 * @returns when the server accepts connections
 * @throws Error in one sentence when the port is taken or not allowed
 */
export function listen(server: Server, place: ListenPlace): Promise<void> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = REQUEST_LIMIT_MS;
  server.headersTimeout = HEADERS_LIMIT_MS;
  server.on("clientError", (error, socket) => void answerUnreadable(error, socket));
  // Without a listener for "upgrade", such a request is answered as any other: no protocol but HTTP is spoken here.
  server.on("connect", refuseTunnel);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portProblem(error, place)));
    server.listen({ port: place.port, host: place.host }, resolve);
  });
}

/** Stops accepting, lets answers under way finish, and cuts what is left after {@link DRAIN_LIMIT_MS}. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
  await closed;
  clearTimeout(limit);
}

/**
 * Says that a port is taken before anything slow begins.
 *
 * @throws Error in one sentence
 */
export function ensurePortFree(place: ListenPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createProbe();
    probe.once("error", (error: NodeJS.ErrnoException) => reject(portProblem(error, place)));
    probe.listen({ port: place.port, host: place.host }, () => probe.close(() => resolve()));
  });
}

function portProblem(error: NodeJS.ErrnoException, { port, host = "", variable = "PORT" }: ListenPlace): Error {
  switch (error.code) {
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new Error(`This machine has no address ${host}: set LISTEN_HOST to one that it has, or leave it out.`);
    case "EADDRINUSE":
      return new Error(
        `Port ${String(port)} is taken by another program: stop that one, or set ${variable} to a free port.`,
      );
    case "EACCES":
      return new Error(`This user may not listen on port ${String(port)}: set ${variable} to a port above 1023.`);
    case undefined:
    default:
      return new Error(`Port ${String(port)} cannot be used (${error.message}): set ${variable} to another one.`);
  }
}

/** @returns a port of this machine that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createProbe();
    probe.once("error", reject);
    probe.listen(0, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
