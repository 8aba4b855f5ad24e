import { createServer } from "node:http";
import pg from "pg";
import { createOnceboard } from "@/integrations/once/create-onceboard";
import type { Work } from "@/integrations/once/definition";
import type { PgClient } from "@/integrations/transactions/pg";
import { insertAccount } from "@/payments/db/accounts";
import { accountView } from "@/payments/views";
import { BENCH_TENANT, CLIENT } from "./environment";
import { summary, type Measured } from "./load";
import { ONCE_CONNECTIONS } from "./once";

/**
 * A service that opens accounts by `once()` over a pool of its own, with the rights of a service. The row, the message and the answer are
 * those of the route; nobody sends it a request: its callers are in the process, and `GET /?ms=&callers=&run=` measures them.
 */
const OPERATION = "accounts.open";
const { DATABASE_URL = "", SECRET: secret = "", ENCRYPTION_KEYS: encryptionKeys = "", PORT = "" } = process.env;

const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: ONCE_CONNECTIONS,
  options: "-c role=onceboard_service",
});
const onceboard = createOnceboard({
  pool,
  service: "bench",
  secret,
  encryptionKeys,
  kinds: [{ name: OPERATION, label: "Account", sharesTransaction: true }],
  logLevel: "silent",
});

const open =
  (id: string): Work<PgClient> =>
  async (tx, { operationId }) => {
    const row = { tenantId: BENCH_TENANT, id, operationId, currency: "EUR", emailSealed: undefined };
    const account = await insertAccount(tx, row);
    if (account === undefined) return { status: 409, code: "account.exists" };
    const resource = { type: "account", id };
    const view = accountView(account) as Record<string, string>;
    const messages = [{ topic: "accounts", type: "account.opened", aggregate: resource, data: view }];
    return { status: 201, body: view, headers: { location: `/api/v1/accounts/${id}` }, resource, messages };
  };

let number = 0;
async function openOne(run: string): Promise<void> {
  number += 1;
  const id = `acc-once-${run}-${String(number)}`;
  const command = { accountId: id, currency: "EUR" };
  const request = { tenant: BENCH_TENANT, operation: OPERATION, key: `once-${id}`, command, principal: CLIENT };
  const { outcome } = await onceboard.once({ ...request, subject: command }, open(id));
  // An error answered fast is no throughput.
  if (outcome !== "executed") throw new Error(`expected executed, got ${outcome}`);
}

async function measure(run: string, callers: number, durationMs: number): Promise<Measured> {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const end = begin + durationMs;
  const caller = async (): Promise<void> => {
    for (let start = begin; start < end; start = performance.now()) {
      await openOne(run);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - begin) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { ...summary(latencies, seconds), cpuMicroseconds: (user + system) / latencies.length };
}

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://bench");
  const [run = "", callers = "", ms = ""] = ["run", "callers", "ms"].map((name) => searchParams.get(name) ?? "");
  measure(run, Number(callers), Number(ms)).then(
    (measured) => response.end(JSON.stringify(measured)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
process.once("SIGTERM", () => {
  server.closeAllConnections();
  server.close(
    () =>
      void onceboard
        .close()
        .then(() => pool.end())
        .then(() => process.exit(0)),
  );
});
server.listen(Number(PORT), "127.0.0.1", () => process.stdout.write(`once ready on ${PORT}\n`));
