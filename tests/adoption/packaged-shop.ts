import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "@/cli/startup/listen";
import type * as Testing from "@/integrations/testing";
import { endGroup, spawnGroup } from "../shared/process-group";
import { fileOf } from "./adopt-page";
import { reachable, type AtEnd, type Shop } from "./shop-cases";

export interface ShopFiles {
  /** A directory in which the package is installed. */
  readonly project: string;
  /** A folder whose files the user wrote. */
  readonly files: string;
  /** Run to their end before it starts. */
  readonly prepare?: readonly string[];
  /** Run in a shell; it listens on SHOP_PORT. */
  readonly start?: string;
}

/** A service of somebody's own on a database that `onceboard/testing` of the installed package makes. */
export async function openShop(
  { project, files, prepare = [], start = "node shop.mjs" }: ShopFiles,
  atEnd: AtEnd,
): Promise<Shop> {
  const folder = mkdtempSync(join(project, `${basename(files)}-`));
  cpSync(files, folder, { recursive: true });
  const { startOnceboardTests } = await importFrom(folder);
  const server = await startOnceboardTests(undefined);
  atEnd(() => server.stop());
  const test = await server.create({ setUp: fileOf("shop.sql") });
  atEnd(async () => {
    const violations = await test.violations("orders.place", "select operation_id from shop.orders");
    await test.drop();
    if (violations.length > 0) throw new Error(violations.join("\n"));
  });
  const login = new URL(test.url);
  [login.username, login.password] = ["shop", "change this"];
  const port = String(await freePort());
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    NODE_ENV: "production",
    SHOP_DATABASE_URL: login.href,
    SECRET: test.secrets.secret,
    ENCRYPTION_KEYS: test.secrets.encryptionKeys,
    SHOP_PORT: port,
  };
  for (const command of prepare) run(command, folder, env);
  const child = spawnGroup(start, { cwd: folder, env, stdio: "ignore" });
  atEnd(() => endGroup(child));
  const url = `http://localhost:${port}`;
  await reachable(url);
  return {
    url,
    rows: async <Row>(text: string, ...values: unknown[]) => (await test.pool.query({ text, values })).rows as Row[],
  };
}

/** As a file of the project imports it. */
function importFrom(folder: string): Promise<typeof Testing> {
  const path = createRequire(join(folder, "test.mjs")).resolve("onceboard/testing");
  return import(pathToFileURL(path).href) as Promise<typeof Testing>;
}

function run(command: string, cwd: string, env: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr } = spawnSync("bash", ["-euc", command], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}: ${stdout}${stderr}`);
}
