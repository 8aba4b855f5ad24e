import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "main.ts");
const dataDir = mkdtempSync(join(tmpdir(), "sandbox-process-"));
let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<{ process: ChildProcess; url: string }> {
  const started = spawn(process.execPath, ["--import", "tsx", MAIN], {
    env: { ...process.env, SANDBOX_PORT: "0", DATA_DIR: dataDir },
  });
  child = started;
  const [line] = (await once(started.stdout, "data")) as [Buffer];
  return { process: started, url: /http:\S+/.exec(line.toString())?.[0] ?? "" };
}

it("keeps what it accepted over kill -9", async () => {
  const first = await start();
  const post = (url: string): Promise<unknown> =>
    fetch(`${url}/v1/charges`, {
      method: "POST",
      headers: { "idempotency-key": "k1" },
      body: JSON.stringify({ amount: "1000", currency: "EUR", accountId: "acc_1" }),
    }).then((response) => response.json());
  const object = await post(first.url);
  first.process.kill("SIGKILL");
  await once(first.process, "exit");
  const second = await start();
  expect(await post(second.url)).toEqual(object);
  second.process.kill("SIGTERM");
  expect(await once(second.process, "exit")).toEqual([0, null]);
}, 20_000);
