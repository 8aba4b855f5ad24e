import { httpReader } from "./http-reader";
import { startTapProxy, type HeldWire, type WireTrap } from "./tap-proxy";

/** Chance per exchange, 0 to 1. */
export interface ProxyRates {
  /** The request never reaches the server; the caller sees a reset. */
  readonly cutBefore: number;
  /** The server answers, the caller sees a reset instead. */
  readonly cutAfter: number;
  /** The request arrives late. */
  readonly delay: number;
}

export interface FaultProxyOptions {
  /** Address of the server, `http:` only: the proxy must see where a request begins. */
  readonly target: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly rates: Partial<ProxyRates>;
  readonly delayMs?: number;
  /** Number in [0, 1). */
  readonly random?: () => number;
}

export interface ProxyCounts {
  readonly passed: number;
  readonly cutBefore: number;
  readonly cutAfter: number;
  readonly delayed: number;
}

export interface FaultProxy {
  /** With the path of the target. */
  readonly url: string;
  counts(): ProxyCounts;
  close(): Promise<void>;
}

const DEFAULT_DELAY_MS = 800;

/**
 * A TCP proxy that loses requests and answers for real, so that callers and server meet true resets. The first byte of an answer
 * proves that the server is done with the work; the caller never sees it.
 *
 * @throws when the port is taken or the target is not `http:`.
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { rates, random = Math.random, delayMs = DEFAULT_DELAY_MS } = options;
  const target = new URL(options.target);
  if (target.protocol !== "http:") throw new Error("The fault proxy speaks plain http only.");
  const counts = { passed: 0, cutBefore: 0, cutAfter: 0, delayed: 0 };
  const cut = (held: HeldWire): void => held.cut();
  const fates: readonly (Omit<WireTrap, "matches"> & { rate?: number | undefined; count: keyof ProxyCounts })[] = [
    { count: "cutBefore", rate: rates.cutBefore, at: "request", caught: cut },
    { count: "cutAfter", rate: rates.cutAfter, at: "reply", caught: cut },
    {
      count: "delayed",
      rate: rates.delay,
      at: "request",
      caught: (held) => void setTimeout(() => held.forward(), delayMs),
    },
  ];
  const trapFor = (): WireTrap | undefined => {
    let dice = random();
    const fate = fates.find(({ rate = 0 }) => (dice -= rate) < 0);
    counts[fate?.count ?? "passed"] += 1;
    return fate && { ...fate, matches: () => true };
  };
  const proxy = await startTapProxy({
    host: target.hostname.replace(/^\[|\]$/g, ""),
    port: Number(target.port || "80"),
    reader: httpReader,
    listen: options.port,
    trapFor,
  });
  const path = target.pathname.replace(/\/+$/, "");
  return {
    url: `http://127.0.0.1:${String(proxy.port)}${path}`,
    counts: () => ({ ...counts }),
    close: () => proxy.close(),
  };
}
