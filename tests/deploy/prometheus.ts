import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stringify } from "yaml";
import { z } from "zod";
import { freePort } from "@/cli/startup/listen";
import { METRICS_TOKEN } from "@/http/testing/host";
import { ALERT_RULES } from "./expressions";

const READY_MS = 60_000;
const POLL_MS = 100;
const SERIES = z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) });
const VECTOR = z.object({ data: z.object({ resultType: z.literal("vector"), result: z.array(SERIES) }) });
const RULES = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({ name: z.string(), state: z.string(), health: z.string(), lastError: z.string().optional() }),
        ),
      }),
    ),
  }),
});
type Series = z.infer<typeof SERIES>;
type RuleState = z.infer<typeof RULES>["data"]["groups"][number]["rules"][number];

/** A Prometheus of its own that scrapes one process of ours and evaluates docs/alerts.yml, each second. */
export interface Prometheus {
  /** @returns what an expression is now, a series each. @throws Error with what Prometheus says of it */
  query(expr: string): Promise<readonly Series[]>;
  rules(): Promise<readonly RuleState[]>;
  stop(): Promise<void>;
}

/** @returns whether both programs are on PATH */
export function hasPrometheus(): boolean {
  try {
    for (const program of ["prometheus", "promtool"]) execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** @param words of promtool @param input what it reads @returns what it says, also when it finds something */
export const promtool = (words: readonly string[], input = ""): string => {
  const { stdout, stderr } = spawnSync("promtool", words, { encoding: "utf8", input });
  return `${stdout}${stderr}`;
};

/** @param target address of the process, as `http://127.0.0.1:3000` */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), "onceboard-prometheus-"));
  const port = await freePort();
  writeFileSync(join(folder, "prometheus.yml"), configuration(new URL(target).host));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${String(port)}`,
      "--log.level=error",
    ],
    { stdio: "ignore" },
  );
  const url = `http://127.0.0.1:${String(port)}`;
  const stop = async (): Promise<void> => {
    const ended = child.exitCode === null ? once(child, "close") : Promise.resolve();
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(url, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async query(expr) {
      const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expr }).toString()}`);
      if (!answer.ok) throw new Error(`${expr}: ${await answer.text()}`);
      return VECTOR.parse(await answer.json()).data.result;
    },
    async rules() {
      const answer = await fetch(`${url}/api/v1/rules`);
      return RULES.parse(await answer.json()).data.groups.flatMap(({ rules }) => rules);
    },
    stop,
  };
}

const configuration = (host: string): string =>
  stringify({
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [resolve(ALERT_RULES)],
    scrape_configs: [
      {
        job_name: "onceboard-api",
        metrics_path: "/api/metrics",
        authorization: { credentials: METRICS_TOKEN },
        static_configs: [{ targets: [host] }],
      },
    ],
  });

async function ready(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(`${url}/-/ready`).catch(() => undefined);
    if (answer?.ok === true) return;
    await delay(POLL_MS);
  }
  throw new Error("prometheus is not ready");
}
