import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@/cli/startup/listen";
import type { Config } from "@/domain/config";
import type { Say } from "../crash/judge";
import { startCluster, type Cluster } from "./cluster";
import { openReplicaPages, type ReplicaPages } from "./replica-pages";

const MAX_LAG_SECONDS = 20;
const LIMIT_MS = 120_000;
const POLL_MS = 250;
const BEHIND = /replica \d+ s behind/;
const LATE = /The read replica is \d+ s behind: pages are read from the primary\./;
const SILENT = /The read replica does not answer: pages are read from the primary\./;
const PLACES = ["", "conflicts", "attention", "outbox", "inbox", "dead-letters", "plans", "approvals", "retention"];
const MORE_PLACES = [
  "metrics",
  "clients",
  "invariants",
  "checklist",
  "policies",
  "audit",
  "settings",
  "flow",
  "topics",
];

type Check = (what: string, holds: boolean) => void;

/** The built pages of `cli/serve.ts`, over a primary and its standby. @returns what was not as it should be */
export async function runConsolePages(say: Say): Promise<readonly string[]> {
  const problems: string[] = [];
  const check: Check = (what, holds) => {
    say(`  ${holds ? "ok  " : "FAIL"} ${what}`);
    if (!holds) problems.push(what);
  };
  const cluster = await startCluster({ synchronous: false });
  try {
    const pages = await openReplicaPages(cluster, MAX_LAG_SECONDS);
    const port = await freePort();
    const child = serve(pages.host.deps?.config, port);
    try {
      await ready(child, port);
      await look(cluster, pages, pageReader(pages, port), check);
    } finally {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await pages.host.close();
    }
  } finally {
    await cluster.stop();
  }
  return problems;
}

type Page = (path: string, cookie?: string) => Promise<{ readonly status: number; readonly text: string }>;

async function look(cluster: Cluster, { make, reader }: ReplicaPages, page: Page, check: Check): Promise<void> {
  const before = await make.completed();
  await cluster.caughtUp();
  await cluster.pause();
  const after = await make.completed();
  const old = await page("operations");
  check(
    "a page is read from the standby and says how far it is behind",
    old.text.includes(before.operationId) && !old.text.includes(after.operationId) && BEHIND.test(old.text),
  );
  const acted = await page("operations", `${reader}; ob_acted=${String(Number.MAX_SAFE_INTEGER)}`);
  check("whoever acted sees the primary", acted.text.includes(after.operationId) && !BEHIND.test(acted.text));
  check("one thing is found on the primary", (await page(`operations/${after.operationId}`)).status === 200);
  const late = await until(() => page("operations"), LATE);
  check("beyond the limit a page is the primary's, and says so", late.includes(after.operationId));
  await cluster.resume();
  await cluster.caughtUp();
  const back = await until(() => page("operations"), BEHIND);
  check("once the standby has caught up it is read again", back.includes(after.operationId));
  for (const place of [...PLACES, ...MORE_PLACES]) check(`/${place} is there`, (await page(place)).status === 200);
  await cluster.killStandby();
  const last = await make.completed();
  const first = await page("operations");
  check("the page that finds it killed is there", first.status === 200 && first.text.includes(last.operationId));
  check("the next one says that it does not answer", SILENT.test((await page("operations")).text));
}

async function until(read: () => Promise<{ readonly text: string }>, wanted: RegExp): Promise<string> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const { text } = await read();
    if (wanted.test(text)) return text;
    if (performance.now() > end) throw new Error(`no page said ${wanted.source}`);
    await delay(POLL_MS);
  }
}

function pageReader({ host, reader }: ReplicaPages, port: number): Page {
  return async (path, cookie = reader) => {
    const address = `http://127.0.0.1:${String(port)}/${path}?tenant=${host.tenant}`;
    const answer = await fetch(address, { headers: { cookie }, redirect: "manual" });
    return { status: answer.status, text: await answer.text() };
  };
}

function serve(config: Config | undefined, port: number): ChildProcess {
  if (config === undefined) throw new Error("only in process");
  return spawn(process.execPath, ["--import", "tsx", "cli/serve.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: config.databaseUrl,
      DATABASE_URL_READ: config.databaseUrlRead,
      READ_REPLICA_MAX_LAG_SECONDS: String(MAX_LAG_SECONDS),
      SECRET: config.secret,
      ENCRYPTION_KEYS: config.encryptionKeys,
      SANDBOX_PORT: String(config.sandboxPort),
      PUBLIC_URL: config.publicUrl,
      PORT: String(port),
      LOG_LEVEL: "silent",
    },
  });
}

async function ready(child: ChildProcess, port: number): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/api/health/ready`).catch(() => undefined);
    if (answer?.ok === true) return;
    if (child.exitCode !== null || performance.now() > end)
      throw new Error("serve did not come up: run npm run build first");
    await delay(POLL_MS);
  }
}
