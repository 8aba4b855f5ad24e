import type { ChildPlace } from "./child/protocol";
import { startCrashChild, type CrashChild } from "./children";
import { startApi, type ApiProcess } from "./http/api";
import type { CrashEnvironment } from "./environment";
import { startProvider, type CrashProvider } from "./provider";
import { httpReader } from "@/demo/faults/http-reader";
import { postgresReader } from "./wire/postgres-reader";
import { startTapProxy, type TapProxy } from "@/demo/faults/tap-proxy";

/** Children that are started ahead, because a killed one must be replaced and a start takes longer than a run. */
export interface Spares {
  take(): CrashChild;
  close(): Promise<void>;
}

export function startSpares(count: number): Spares {
  const ready: CrashChild[] = [];
  const taken = new Set<CrashChild>();
  const fill = (): void => {
    while (ready.length < count) ready.push(startCrashChild());
  };
  fill();
  return {
    take() {
      const child = ready.shift() ?? startCrashChild();
      fill();
      for (const old of taken) if (!old.alive) taken.delete(old);
      taken.add(child);
      return child;
    },
    async close() {
      await Promise.all([...ready, ...taken].map((child) => child.kill()));
    },
  };
}

/** The process that is hit. All that it says to the database and to the provider goes through proxies of its session. */
export interface Victim {
  readonly child: CrashChild;
  readonly instance: string;
}

/** Where one run happens at a time: a provider, a process that is hit, and one that is not. */
export interface CrashSession {
  readonly place: CrashEnvironment;
  readonly provider: CrashProvider;
  readonly database: TapProxy;
  readonly wire: TapProxy;
  /** Never hit; it stands for the other replicas and for the worker. */
  readonly rescuer: CrashChild;
  /** Origins of the inbox that relays send to, served by the rescuer: through a proxy, and straight. */
  inbox(): Promise<Inbox>;
  /** The proxy before it. @throws Error before the first inbox() */
  peer(): TapProxy;
  /** A real server beside them, started when it is first asked for. */
  api(): Promise<ApiProcess>;
  /** @returns a living one, with nothing armed; a new one when the last was killed */
  victim(): Promise<Victim>;
  close(): Promise<void>;
}

export interface Inbox {
  readonly proxied: string;
  readonly direct: string;
}

/** Nobody waits long for a lock that a paused process holds. */
const LOCK_TIMEOUT_MS = "400";
let sessions = 0;

/** @param bug planted in the code of both processes */
export async function openSession(place: CrashEnvironment, spares: Spares, bug?: string): Promise<CrashSession> {
  sessions += 1;
  const name = `session${String(sessions)}`;
  const provider = await startProvider();
  const databasePort = Number(new URL(place.url).port);
  const database = await startTapProxy({ port: databasePort, reader: postgresReader });
  const wire = await startTapProxy({ port: provider.port, reader: httpReader });
  const open = (child: CrashChild, instance: string, ports: readonly [database: number, provider: number]) =>
    openChild(place, child, {
      databaseUrl: impatient(place.url, ports[0]),
      providerUrl: originOf(ports[1]),
      instance,
      bug,
    });
  const rescuer = spares.take();
  await open(rescuer, `${name}-rescuer`, [databasePort, provider.port]);
  let current: Victim | undefined;
  let victims = 0;
  let api: Promise<ApiProcess> | undefined;
  let peer: TapProxy | undefined;
  let direct: string | undefined;
  return {
    place,
    provider,
    database,
    wire,
    rescuer,
    api: () => (api ??= startApi(place, provider.port)),
    async inbox() {
      if (peer === undefined || direct === undefined) {
        const { port = 0 } = await rescuer.ask({ do: "listen" });
        direct = originOf(port);
        peer = await startTapProxy({ port, reader: httpReader });
      }
      return { direct, proxied: originOf(peer.port) };
    },
    peer() {
      if (peer === undefined) throw new Error("this session has no inbox yet");
      return peer;
    },
    async victim() {
      peer?.trap(undefined);
      database.trap(undefined);
      wire.trap(undefined);
      if (current?.child.alive === true) return current;
      victims += 1;
      const child = spares.take();
      const instance = `${name}-victim${String(victims)}`;
      await open(child, instance, [database.port, wire.port]);
      current = { child, instance };
      return current;
    },
    async close() {
      await current?.child.kill();
      await rescuer.kill();
      await peer?.close();
      await api?.then((started) => started.stop()).catch(() => undefined);
      await database.close();
      await wire.close();
      await provider.close();
    },
  };
}

export function originOf(port: number): string {
  return `http://127.0.0.1:${String(port)}`;
}

function impatient(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  url.searchParams.set("lock_timeout", LOCK_TIMEOUT_MS);
  return url.href;
}

/** Gives a process its place. */
export async function openChild(
  { encryptionKeys, secret, dataDir }: CrashEnvironment,
  child: CrashChild,
  own: Omit<ChildPlace, "encryptionKeys" | "secret" | "dataDir">,
): Promise<void> {
  await child.ask({ do: "open", place: { encryptionKeys, secret, dataDir, ...own } });
}
