import type { AttachedDemo } from "@/demo/attached/start-attached";
import { seedDemo, type DemoHistory } from "@/demo/seed-demo";
import { startMerchants } from "@/demo/merchants";
import { demoHelp, readDemoOptions, type DemoOptions } from "@/demo/options";
import { ensurePeople, type People } from "@/demo/people";
import { leanEnvironment } from "./startup/child-environment";
import { freePort } from "./startup/listen";
import { runMain } from "./startup/run-main";
import { runStack, type Stack } from "./startup/run-stack";
import type { Supervisor } from "./supervise";

/** The API process that traffic goes to and that crashes; the console has one of its own and goes on. */
const API = "api";

/** Crashes come between half of and one and a half times the wanted gap. */
const SPREAD = 0.5;

await runMain(() => {
  if (process.argv.includes("--help")) {
    process.stdout.write(demoHelp());
    return Promise.resolve();
  }
  const options = readDemoOptions(process.argv.slice(2));
  // The demo's merchants listen on this machine.
  process.env["WEBHOOK_ALLOW_PRIVATE"] ??= "true";
  let people: People | undefined;
  let history: DemoHistory | undefined;
  let attached: AttachedDemo | undefined;
  return runStack({
    name: "demo",
    logFiles: true,
    spokenOf: ["traffic"],
    async before({ config, ownerUrl, say, stopping }) {
      people = await ensurePeople(config);
      if (options.history > 0)
        history = await seedDemo({ ...config, databaseUrl: ownerUrl }, people, options.history, say);
      if (!options.attach) return;
      // Here, because pg-boss is a package of the repository alone.
      const { startAttached } = await import("@/demo/attached/start-attached");
      attached = await startAttached({ ...config, databaseUrl: ownerUrl }, people, { say, stopping });
    },
    then: async (stack) => {
      people ??= await ensurePeople(stack.config);
      await addTraffic(stack, options, people, history);
      await attached?.run();
      stack.say(welcome(stack, people, options.killEvery, attached));
    },
  });
});

async function addTraffic(
  stack: Stack,
  { killEvery, trafficArgs }: DemoOptions,
  people: People,
  history: DemoHistory | undefined,
): Promise<void> {
  const { config, supervisor, env, stopping } = stack;
  await startMerchants(config, stopping);
  const port = await freePort();
  await supervisor.start({
    name: API,
    entry: "cli/api.ts",
    // A port of its own for metrics has the console already.
    env: { ...env, PORT: String(port), METRICS_PORT: undefined },
    ready: /^api ready /,
  });
  // What passed while everything started: a chart would show a hole that nobody had.
  await history?.catchUp();
  await supervisor.start({
    name: "traffic",
    entry: "demo/traffic.ts",
    args: [
      ...["--base-url", `http://127.0.0.1:${String(port)}${config.basePath}`, "--keys", people.keysPath],
      ...(config.provider === "sandbox" ? ["--sandbox-url", `http://127.0.0.1:${String(config.sandboxPort)}`] : []),
      ...trafficArgs,
    ],
    env: leanEnvironment(env, ["DATA_DIR"]),
    ready: /^traffic on /,
  });
  startCrashes(supervisor, API, killEvery, stopping);
}

function welcome({ config }: Stack, people: People, killEvery: number, attached: AttachedDemo | undefined): string {
  const signIns = people.operators.map(({ email, password, role }) => `    ${email}  ${password}  (${role})`);
  return [
    "",
    `  Onceboard is on ${config.publicUrl}`,
    "  sign in as",
    ...signIns,
    "",
    "  Tenants acme and globex are taking payments over connections that break;",
    `  their merchants get webhooks, their customers receipts (${config.smtpUrl === undefined ? `as files in ${config.dataDir}/mail` : "by mail"});`,
    killEvery > 0
      ? `  an API process is killed about every ${String(killEvery)} s. Options: --rate, --kill-every, --proxy-cut-after …`
      : "  Options: --rate, --kill-every, --proxy-cut-after …",
    ...(attached === undefined
      ? []
      : [
          "",
          "  Three databases of other people are attached to acme, and go on by themselves:",
          ...attached.sources.map(({ name, is }) => `    ${config.publicUrl}/sources/${name}  (${is})`),
          "",
        ]),
    `  Logs are in ${config.dataDir}/logs. Ctrl-C stops everything.`,
    "",
  ].join("\n");
}

/** Kills the process now and then, as a machine that fails would. @param killEvery seconds on average; 0 never */
export function startCrashes(supervisor: Supervisor, name: string, killEvery: number, signal: AbortSignal): void {
  if (killEvery <= 0) return;
  const next = (): void => {
    const gap = killEvery * (1 - SPREAD + Math.random() * 2 * SPREAD);
    const timer = setTimeout(() => {
      supervisor.crash(name);
      next();
    }, gap * 1_000);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  };
  next();
}
