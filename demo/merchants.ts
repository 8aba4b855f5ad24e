import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { z } from "zod";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { createDatabase } from "@/db/client";
import type { Config } from "@/domain/config";
import { readPrivate, writePrivate } from "@/cli/startup/data-dir";
import { freePort } from "@/cli/startup/listen";
import { newWebhookSecret } from "@/engine/inbox/event-source";
import type { HistoryEndpoint } from "./history/week/webhook-rows";

/** Tenants of the demo whose merchants want to hear of their money. */
const TENANTS = ["acme", "globex"] as const;
/** Share of deliveries that a merchant answers with 503: they come again. */
const FAILING_SHARE = 0.04;
/** Now and then a merchant is away for a while. */
const AWAY_EVERY_MS = 180_000;
const AWAY_MS = 25_000;
const BODY_LIMIT_BYTES = 262_144;
const CALL_LIMIT_MS = 10_000;

const FILE = "demo-merchants.json";
const keptShape = z.object({
  port: z.number().int(),
  merchants: z.array(z.object({ tenant: z.string(), secret: z.string() })),
});
type Kept = z.output<typeof keptShape>;

/** What the merchants of this machine are known by, made or kept. */
export interface Merchants {
  readonly port: number;
  readonly secrets: ReadonlyMap<string, string>;
  /** Tenants that have their endpoint in the database. */
  readonly added: readonly string[];
}

const DESCRIPTION = "Order desk of the demo";

/** @returns endpoints for tenants whose history begins with one, under secrets that are kept once they are in the database */
export async function newMerchants(config: Pick<Config, "dataDir">): Promise<Merchants> {
  return (
    readKept(config) ?? {
      port: await freePort(),
      secrets: new Map(TENANTS.map((tenant) => [tenant, newWebhookSecret()])),
      added: [],
    }
  );
}

/** @returns undefined where the tenant has its endpoint already */
export function endpointOf({ port, secrets, added }: Merchants, tenant: string): HistoryEndpoint | undefined {
  const secret = added.includes(tenant) ? undefined : secrets.get(tenant);
  return secret === undefined ? undefined : { url: addressOf(port, tenant), secret, description: DESCRIPTION };
}

/** @param tenants that have their endpoint in the database */
export function keepMerchants(
  { dataDir }: Pick<Config, "dataDir">,
  { port, secrets }: Pick<Merchants, "port" | "secrets">,
  tenants: readonly string[],
): void {
  const merchants = tenants.flatMap((tenant) => {
    const secret = secrets.get(tenant);
    return secret === undefined ? [] : [{ tenant, secret }];
  });
  writePrivate(join(dataDir, FILE), { port, merchants } satisfies Kept);
}

function readKept({ dataDir }: Pick<Config, "dataDir">): Merchants | undefined {
  const kept = readPrivate(join(dataDir, FILE), keptShape);
  return (
    kept && {
      port: kept.port,
      secrets: new Map(kept.merchants.map(({ tenant, secret }) => [tenant, secret])),
      added: kept.merchants.map(({ tenant }) => tenant),
    }
  );
}

function addressOf(port: number, tenant: string): string {
  return `http://127.0.0.1:${String(port)}/${tenant}`;
}

/**
 * Two merchants that listen on this machine and check each signature, as theirs would. Endpoints that no history made are made
 * through the admin API, once for a data directory.
 *
 * @param stopping aborted: they are gone
 */
export async function startMerchants(config: Config, stopping: AbortSignal): Promise<void> {
  const kept = readKept(config);
  const secrets = new Map(kept?.secrets);
  const port = await receive(kept?.port, secrets, stopping);
  // Another port is another address: each tenant needs a new endpoint.
  const missing = TENANTS.filter((tenant) => kept?.port !== port || !secrets.has(tenant));
  if (missing.length === 0) return;
  for (const tenant of missing) secrets.set(tenant, await makeEndpoint(config, tenant, addressOf(port, tenant)));
  keepMerchants(config, { port, secrets }, TENANTS);
}

async function makeEndpoint(config: Config, tenant: string, url: string): Promise<string> {
  const db = createDatabase({ url: config.databaseUrl, max: 1, applicationName: "onceboard demo" });
  try {
    const { key } = await createApiKey(db, { tenant, name: "demo-setup", scopes: ["admin"] });
    const response = await fetch(
      `http://127.0.0.1:${String(config.port)}${config.basePath}/api/v1/admin/webhook-endpoints`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": `demo-endpoint-${tenant}-${new URL(url).port}`,
        },
        body: JSON.stringify({ url, types: [], description: DESCRIPTION, reason: "demo" }),
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
      },
    );
    const answer = z.object({ secret: z.string() }).safeParse(await response.json());
    if (!answer.success) throw new Error(`The demo's endpoint could not be made (${String(response.status)}).`);
    return answer.data.secret;
  } finally {
    await db.close();
  }
}

/** @returns the port: the one asked for, or another when that is taken. */
function receive(
  port: number | undefined,
  secrets: ReadonlyMap<string, string>,
  stopping: AbortSignal,
): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_LIMIT_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on("end", () => {
      const secret = secrets.get((request.url ?? "/").slice(1));
      const status = answerTo(secret, Buffer.concat(chunks).toString("utf8"), request.headers);
      response.writeHead(status).end();
    });
    request.on("error", () => response.destroy());
  });
  stopping.addEventListener("abort", () => {
    server.close();
    server.closeAllConnections();
  });
  const listen = (wanted: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  return listen(port ?? 0).catch(() => listen(0));
}

function answerTo(secret: string | undefined, body: string, headers: NodeJS.Dict<string | string[]>): number {
  if (secret === undefined) return 404;
  if (Date.now() % AWAY_EVERY_MS < AWAY_MS || Math.random() < FAILING_SHARE) return 503;
  const signed = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, String(headers[name] ?? "")]),
  );
  try {
    new Webhook(secret).verify(body, signed, { jsonParse: false });
    return 204;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 401;
    throw error;
  }
}
