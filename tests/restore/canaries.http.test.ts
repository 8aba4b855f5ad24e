import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dump, installedPrograms } from "@/db/testing/backups";
import { startTestServer, type TestServer } from "@/db/testing/test-server";
import { openHost, type TestHost } from "@/http/testing/host";

const EACH = 10;
const JSON_TYPE = ["content-type", "application/json"] as const;

let server: TestServer;
let host: TestHost;
let files: string;
let programs: string;
beforeAll(async () => {
  programs = installedPrograms();
  server = await startTestServer({ binaries: programs });
  files = mkdtempSync(join(tmpdir(), "onceboard-canaries-"));
  // pg_dump runs as the system user of the server.
  chmodSync(files, 0o777);
  host = await openHost("hono", {
    server: server.url,
    env: { KEY_STORE: "file", KEY_STORE_DIR: join(files, "keys"), SEAL_PAYLOADS: "true" },
  });
});
afterAll(async () => {
  await host.close();
  await server.stop();
  rmSync(files, { recursive: true, force: true });
});

/** @returns `schema.table.column` of each place of a plain dump that has the text, once each and in order */
function placesOf(text: string, dumped: string): string[] {
  const places = new Set<string>();
  let table: { readonly name: string; readonly columns: readonly string[] } | undefined;
  for (const line of dumped.split("\n")) {
    const copy = /^COPY (\S+) \((.*)\) FROM stdin;$/.exec(line);
    if (copy !== null) {
      // A day's partition is its table.
      const name = (copy[1] ?? "").replace(/_(?:\d{8}|p\d+|past|default)$/, "");
      table = { name, columns: (copy[2] ?? "").split(", ") };
    } else if (line === "\\.") table = undefined;
    else if (table !== undefined && line.includes(text)) {
      for (const [index, value] of line.split("\t").entries())
        if (value.includes(text)) places.add(`${table.name}.${table.columns[index] ?? "?"}`);
    } else if (line.includes(text)) places.add("outside of rows");
  }
  return [...places].sort();
}

async function sent(path: string, key: string, body: object): Promise<Record<string, unknown>> {
  const { status, json } = await host.call({
    method: "POST",
    path,
    headers: [["authorization", `Bearer ${apiKey}`], ["idempotency-key", key], JSON_TYPE],
    body: JSON.stringify(body),
  });
  if (status !== 201) throw new Error(`${path} answered ${String(status)}: ${JSON.stringify(json)}`);
  return json ?? {};
}
let apiKey = "";

/**
 * Where each kind of what people enter stands in clear in a dump, and nowhere else. docs/TRUST.md has the same list with its reasons; a place
 * that is mended goes from both.
 */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  "e-mail of an account": [],
  "name in an account's command that is refused": [],
  "name in a payment's reference": ["onceboard.idempotency_requests.reference", "payments.payments.merchant_reference"],
  "IBAN in a refund's reason": ["payments.refunds.reason"],
  "name, e-mail and IBAN in an event that arrived": [],
};

it("of 50 canaries that came in by the API a dump shows those, and where, that docs/TRUST.md says (RETENTION-8)", async () => {
  apiKey = await host.key(["payments", "accounts", "events"]);
  const seeded = new Map<string, string[]>(Object.keys(LEFT).map((kind) => [kind, []]));
  const canary = (kind: string, text: string): string => {
    seeded.get(kind)?.push(text);
    return text;
  };
  for (let n = 0; n < EACH; n += 1) {
    const mark = `${String(n)}c4n4ry${Math.random().toString(36).slice(2, 8)}`;
    const email = canary("e-mail of an account", `mail${mark}@example.com`);
    await sent("/api/v1/accounts", `account-${String(n)}`, { accountId: `acc_${String(n)}`, currency: "EUR", email });
    const refused = canary("name in an account's command that is refused", `name${mark}@example.com`);
    // The same account once more under another key: refused, and the command is kept.
    await host.call({
      method: "POST",
      path: "/api/v1/accounts",
      headers: [["authorization", `Bearer ${apiKey}`], ["idempotency-key", `again-${String(n)}`], JSON_TYPE],
      body: JSON.stringify({ accountId: `acc_${String(n)}`, currency: "EUR", email: refused }),
    });
    const merchantReference = canary("name in a payment's reference", `Erika.Muster.${mark}`);
    const payment = await sent("/api/v1/payments", `payment-${String(n)}`, {
      ...{ accountId: `acc_${String(n)}`, amount: "10.00", currency: "EUR", merchantReference },
    });
    const reason = canary("IBAN in a refund's reason", `DE${mark}`);
    await sent("/api/v1/refunds", `refund-${String(n)}`, { paymentId: payment["paymentId"], amount: "1.00", reason });
    const person = canary("name, e-mail and IBAN in an event that arrived", `person${mark}`);
    const { status } = await host.call({
      method: "POST",
      path: "/api/v1/events/crm",
      headers: [
        ["authorization", `Bearer ${apiKey}`],
        ["content-type", "application/cloudevents+json"],
      ],
      body: JSON.stringify({
        ...{ specversion: "1.0", id: uuidv7(), source: "crm", type: "person.moved" },
        data: { name: person, email: `${person}@example.com`, iban: `DE00${person}` },
      }),
    });
    expect([200, 202]).toContain(status);
  }
  const file = join(files, "canaries.sql");
  dump(programs, host.ownerUrl, file, "plain");
  const dumped = readFileSync(file, "utf8");
  const found: Record<string, string[]> = {};
  for (const [kind, texts] of seeded) {
    expect([kind, texts.length]).toEqual([kind, EACH]);
    found[kind] = [...new Set(texts.flatMap((text) => placesOf(text, dumped)))].sort();
  }
  expect(found).toEqual(LEFT);
});
