import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { freePort } from "@/cli/startup/listen";
import { createDatabase } from "@/db/client";
import { startTestServer } from "@/db/testing/test-server";
import { findClients } from "../sql-contract/testing/clients";
import { shellBlocksOf, fileOf } from "./adopt-page";
import { terminalEnvironment, openShell, type Variables } from "./page-shell";
import { reachable, shopCases, type AtEnd, type Shop } from "./shop-cases";

/** The ways 2 and 3 of docs/ADOPT.md: a service with Fastify and drizzle, and one in Python, beside a deployment of the package. */

const [PREPARE = "", RUN = "", TRY = ""] = shellBlocksOf(2, 3);
const [PYTHON = ""] = shellBlocksOf(3, 1);
const ADDRESS = /postgres:\/\/(\w+):(\S+?)@localhost:5432\//g;
const OWNER = { name: "onceboard", password: "password", database: "shop" };
const LOGIN = "postgres://shop:change%20this@";

/** Of the terminal in which the page's commands are pasted. */
let terminal: { readonly cwd: string; readonly variables: Variables };

async function open(atEnd: AtEnd): Promise<Shop> {
  const folder = mkdtempSync(join(inject("installed"), "service-"));
  for (const name of ["shop.mjs", "shop.sql", "place_order.py"]) writeFileSync(join(folder, name), fileOf(name));
  const server = await startTestServer();
  atEnd(() => server.stop());
  const admin = createDatabase({ url: server.url, max: 1, role: "owner" });
  await admin.pool.query({ text: `create role ${OWNER.name} login createrole password '${OWNER.password}'` });
  await admin.pool.query({ text: `create database ${OWNER.database} owner ${OWNER.name}` });
  await admin.close();
  const { host } = new URL(server.url);
  const own = (commands: string): string => commands.replaceAll(ADDRESS, `postgres://$1:$2@${host}/`);
  const [port, shopPort] = [await freePort(), await freePort()];
  const env = {
    NODE_ENV: "production",
    PORT: String(port),
    SHOP_PORT: String(shopPort),
  };
  // Between the two blocks a person runs shop.sql.
  const shell = openShell(own(`${PREPARE}\necho prepared\nread -r\n${RUN}`), folder, env);
  atEnd(() => shell.close());
  const owner = new URL(server.url);
  [owner.username, owner.password, owner.pathname] = [OWNER.name, OWNER.password, `/${OWNER.database}`];
  await shell.printed(/^prepared$/m);
  const db = createDatabase({ url: owner.href, max: 2, role: "owner" });
  atEnd(() => db.close());
  await db.pool.query({ text: fileOf("shop.sql") });
  shell.goOn();
  await shell.printed(/serve ready\b/, /worker ready\b/);
  const url = `http://localhost:${String(shopPort)}`;
  await reachable(url);
  terminal = { cwd: folder, variables: { ...env, SHOP_DATABASE_URL: `${LOGIN}${host}/${OWNER.database}` } };
  return {
    url,
    rows: async <Row>(text: string, ...values: unknown[]) => (await db.pool.query<Row>({ text, values })).rows,
  };
}

function paste(commands: string): string {
  const { status, stdout, stderr } = spawnSync("bash", ["-euc", commands], {
    cwd: terminal.cwd,
    env: terminalEnvironment(terminal.variables),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${commands} ended with ${String(status)}: ${stdout}${stderr}`);
  return stdout;
}

function pageCases(shop: () => Shop): void {
  it("answers what the page pastes, and its repeat", async () => {
    const commands = TRY.replace("localhost:8080", new URL(shop().url).host);
    expect(paste(commands)).toContain("HTTP/1.1 201");
    expect(paste(commands).toLowerCase()).toContain("idempotent-replayed: true");
    expect(await shop().rows("select item, quantity from shop.orders where item = 'lamp'")).toHaveLength(1);
  });

  const python = findPython();
  it.skipIf(python === undefined)("way 3: Python claims and completes by SQL, in one commit with its row", async () => {
    const [executed, replayed, conflict] = paste(PYTHON.replaceAll("python3", python ?? ""))
      .trim()
      .split("\n");
    expect(executed).toMatch(/^executed \{"orderId": "[0-9a-f-]{36}", "item": "lamp", "quantity": 2\}$/);
    expect([replayed, conflict]).toEqual([executed?.replace("executed", "replayed"), "conflict"]);
    expect(
      await shop().rows(
        "select state, owner from onceboard.idempotency_requests r join onceboard.operation_kinds k on k.name = r.operation where key = 'order-2'",
      ),
    ).toEqual([{ state: "COMPLETED", owner: "shop-py" }]);
  });
}

/** @returns a Python with psycopg2, if there is one; without it one line says so */
function findPython(): string | undefined {
  try {
    if (process.env["SQL_CONTRACT"] === "skip") throw new Error("SQL_CONTRACT=skip");
    return findClients().python;
  } catch (error) {
    process.stderr.write(`The Python of docs/ADOPT.md is not run: ${String(error)}\n`);
    return undefined;
  }
}

shopCases("Fastify and drizzle, by docs/ADOPT.md", open, pageCases);
