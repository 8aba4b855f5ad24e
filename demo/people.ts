import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { authenticateApiKey, createApiKey } from "@/auth/api-keys/api-keys";
import { createLibrary } from "@/auth/sign-in/library";
import { upsertOperator } from "@/auth/operators";
import { createDatabase, type Database } from "@/db/client";
import type { Config } from "@/domain/config";
import { readPrivate, writePrivate } from "@/cli/startup/data-dir";
import { trafficKeys, type TrafficKey } from "./traffic/api-key";

/** Programs that call the API; their names are the ones that the traffic knows habits of. */
const CLIENTS = [
  { tenant: "acme", name: "till-web" },
  { tenant: "acme", name: "till-ios" },
  { tenant: "acme", name: "partner-lumen" },
  { tenant: "acme", name: "billing-cron" },
  { tenant: "globex", name: "marketplace-eu" },
  { tenant: "globex", name: "till-counter" },
] as const;
/** One of each role. */
const PEOPLE = [
  { email: "ada@onceboard.example", name: "Ada", role: "admin" },
  { email: "olu@onceboard.example", name: "Olu", role: "operator" },
  { email: "max@onceboard.example", name: "Max", role: "approver" },
  { email: "ann@onceboard.example", name: "Ann", role: "auditor" },
  { email: "vic@onceboard.example", name: "Vic", role: "viewer" },
] as const;
const SCOPES = ["payments", "accounts"];
const PASSWORD_BYTES = 9;
const POOL_SIZE = 2;

const operatorShape = z.object({ email: z.string(), password: z.string(), role: z.string(), name: z.string() });
const operatorsShape = z.array(operatorShape);
export type DemoOperator = z.output<typeof operatorShape> & { readonly id: string };

export interface People {
  readonly operators: readonly DemoOperator[];
  /** JSON file of API keys, as the traffic reads it. */
  readonly keysPath: string;
}

/** Two tenants with their API clients, and people who may sign in; the same ones at every start of a data directory. */
export async function ensurePeople(config: Config): Promise<People> {
  const db = createDatabase({ url: config.databaseUrl, max: POOL_SIZE, applicationName: "onceboard demo" });
  try {
    const keysPath = join(config.dataDir, "demo-keys.json");
    writePrivate(keysPath, await keysFor(db, readPrivate(keysPath, trafficKeys) ?? []));
    const operatorsPath = join(config.dataDir, "demo-operators.json");
    const operators = operatorsWith(readPrivate(operatorsPath, operatorsShape) ?? []);
    writePrivate(operatorsPath, operators);
    const library = createLibrary({ db, secret: config.secret, publicUrl: config.publicUrl });
    const known: DemoOperator[] = [];
    for (const operator of operators)
      known.push({ ...operator, id: (await upsertOperator(db, { library }, operator)).id });
    return { operators: known, keysPath };
  } finally {
    await db.close();
  }
}

/** Kept keys that this database knows, and new ones for the rest. */
async function keysFor(db: Database, kept: readonly TrafficKey[]): Promise<TrafficKey[]> {
  const keys: TrafficKey[] = [];
  for (const { tenant, name } of CLIENTS) {
    const old = kept.find((entry) => entry.tenant === tenant && entry.name === name);
    if (old !== undefined && (await authenticateApiKey(db, `Bearer ${old.key}`)) !== undefined) keys.push(old);
    else keys.push({ tenant, name, key: (await createApiKey(db, { tenant, name, scopes: SCOPES })).key });
  }
  return keys;
}

/** Kept people, and new ones for the roles that an older data directory has nobody of. */
function operatorsWith(kept: z.output<typeof operatorsShape>): z.output<typeof operatorsShape> {
  const missing = PEOPLE.filter(({ email }) => kept.every((person) => person.email !== email));
  const password = (): string => randomBytes(PASSWORD_BYTES).toString("base64url");
  return [...kept, ...missing.map((person) => ({ ...person, password: password() }))];
}
