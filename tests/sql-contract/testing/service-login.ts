import { randomBytes } from "node:crypto";
import type { Database } from "@/db/client";

export interface ServiceLogin {
  /** As the service connects: a login that may call the functions of the contract and owns nothing of ours. */
  readonly url: string;
  drop(): Promise<void>;
}

/** What the service has of its own: its invoices, and the books of another company that it writes to. */
const TABLES = `
  create schema billing;
  create table billing.invoices (id uuid primary key, operation_id uuid not null unique, customer text not null, amount bigint not null, status text not null);
  create schema mailhouse;
  create table mailhouse.letters (provider_key text primary key, reference text not null default 'letter_' || substr(md5(random()::text), 1, 8), asked integer not null default 1);`;

/**
 * @param owner of the database: roles are the server's, so the name is one that no other test has
 * @param databaseUrl on the server itself: a service brings a driver of its own, which prepares statements as its language does
 */
export async function openServiceLogin(owner: Database, databaseUrl: string): Promise<ServiceLogin> {
  const name = `service_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(12).toString("hex");
  const run = (text: string) => owner.pool.query({ text });
  await run(`create role ${name} login password '${password}' in role onceboard_service`);
  await run(TABLES);
  for (const schema of ["billing", "mailhouse"]) {
    await run(`grant usage on schema ${schema} to ${name}`);
    await run(`grant select, insert, update on all tables in schema ${schema} to ${name}`);
  }
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = password;
  return {
    url: url.href,
    async drop() {
      await run(`drop owned by ${name}`);
      await run(`drop role ${name}`);
    },
  };
}
