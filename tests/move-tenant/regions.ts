import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Move, Databases } from "@/engine/move/move-tenant";
import { openHost, type TestHost } from "@/http/testing/host";
import { payment, tillOf } from "@/http/testing/till";

export const HOME_REGION = "local";
export const OTHER_REGION = "eu-west";
/** A caller pauses before it asks again. */
const PAUSE_MS = 20;
const MOST_TRIES = 500;

/** Two regions, each with a database of its own, that share keys and the provider, and forward to each other. */
export interface Regions {
  readonly here: TestHost;
  readonly there: TestHost;
  readonly tenant: string;
  readonly apiKey: string;
  readonly lines: string[];
  readonly databases: Databases;
  readonly move: Move;
  readonly close: () => Promise<void>;
}

export async function openRegions(): Promise<Regions> {
  const there = await openHost("hono", { env: { REGION: OTHER_REGION } });
  const here = await openHost("hono", {
    env: {
      ...{ SECRET: there.secret, ENCRYPTION_KEYS: there.encryptionKeys, REGION_PEERS: `${OTHER_REGION}=${there.url}` },
      SANDBOX_PORT: String(there.deps?.config.sandboxPort),
    },
  });
  const { tenant } = here;
  const apiKey = await here.key(["payments", "accounts"]);
  await tillOf(here, apiKey).post("/accounts", { accountId: "acc_1", currency: "EUR" });
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  return {
    ...{ here, there, tenant, apiKey, lines },
    databases: { source: here.db, target: there.db },
    move: { tenant, from: HOME_REGION, to: OTHER_REGION, schemas: [], say },
    async close() {
      await here.close();
      await there.close();
    },
  };
}

/** What one key stands for, as its caller was told. */
export interface Acknowledged {
  readonly key: string;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

/** Callers that keep a key until they are told what it came to, at the region where their tenant was. */
export class Callers {
  readonly told: Acknowledged[] = [];
  /** Answers by status. */
  readonly answers: Record<number, number> = {};
  #over = false;
  readonly #all: Promise<unknown>;

  constructor(host: TestHost, apiKey: string, count: number) {
    const till = tillOf(host, apiKey);
    const call = async (): Promise<void> => {
      while (!this.#over) {
        const [key, body] = [randomUUID(), payment()];
        for (let tries = 1; ; tries += 1) {
          const { status, text } = await till.post("/payments", body, { key });
          this.answers[status] = (this.answers[status] ?? 0) + 1;
          if (status === 201) {
            this.told.push({ key, body, text });
            break;
          }
          if (tries === MOST_TRIES) throw new Error(`${key} was never told: ${String(status)} ${text}`);
          await delay(PAUSE_MS);
        }
      }
    };
    this.#all = Promise.all(Array.from({ length: count }, call));
  }

  /** Each caller is told of the key that it has. */
  async stop(): Promise<void> {
    this.#over = true;
    await this.#all;
  }
}
