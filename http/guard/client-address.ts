import type { Context } from "hono";
import { isNetwork, isWithin } from "@/domain/access/networks";
import type { ApiEnv, Container } from "../env";
import { incomingOf } from "./require-key";

/** Entries of one `X-Forwarded-For` that are read, from its end: a caller may write any number before them. */
const MOST_HOPS = 20;
const PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([^\]]+)\])(?::\d{1,5})?$/;

/**
 * The address that a request comes from: that of the socket or, where the socket belongs to a balancer of TRUSTED_PROXIES, the
 * last address of `X-Forwarded-For` that is no balancer of ours. What stands before it is whatever its sender wrote.
 *
 * @returns undefined where Next alone brings the request, which gives no socket
 */
export function clientAddress<Env extends ApiEnv>(c: Context<Env>): string | undefined {
  const { trustedProxies } = (c.get("deps") as Container).config;
  return addressBehind(incomingOf(c)?.socket.remoteAddress, c.req.header("x-forwarded-for"), trustedProxies);
}

/**
 * @param socket address of the other end
 * @param forwarded `X-Forwarded-For` as it came, all its lines joined by commas
 * @param trusted addresses and networks
 */
export function addressBehind(
  socket: string | undefined,
  forwarded: string | undefined,
  trusted: readonly string[],
): string | undefined {
  if (socket === undefined || forwarded === undefined || !isWithin(socket, trusted)) return socket;
  let nearest = socket;
  for (const entry of forwarded.split(",").slice(-MOST_HOPS).reverse()) {
    const hop = hopOf(entry.trim());
    // Not an address: who wrote it is the last that is known.
    if (hop === undefined) return nearest;
    nearest = hop;
    if (!isWithin(hop, trusted)) return hop;
  }
  return nearest;
}

/** @returns the address without a port or brackets, or undefined for `unknown`, a name or rubbish */
function hopOf(text: string): string | undefined {
  const [, v4, v6] = PORT.exec(text) ?? [];
  const address = v4 ?? v6 ?? text;
  return !address.includes("/") && isNetwork(address) ? address : undefined;
}
