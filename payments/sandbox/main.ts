import { startSandbox, type Sandbox } from "./server";

const DEFAULT_PORT = 3900;
const MAX_PORT = 65_535;

async function start(env: Readonly<Record<string, string | undefined>>): Promise<Sandbox> {
  const port = Number(env["SANDBOX_PORT"] ?? DEFAULT_PORT);
  if (!(Number.isInteger(port) && port >= 0 && port <= MAX_PORT)) throw new Error("SANDBOX_PORT is not a port number.");
  const [url, secret, seed] = [env["SANDBOX_WEBHOOK_URL"], env["SANDBOX_WEBHOOK_SECRET"], Number(env["SANDBOX_SEED"])];
  return await startSandbox({
    port,
    dataDir: env["DATA_DIR"] ?? ".onceboard",
    ...(url && secret ? { webhook: { url, secret } } : {}),
    ...(seed > 0 ? { seed } : {}),
  });
}

try {
  const sandbox = await start(process.env);
  const stop = (): void => {
    void sandbox.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  // Started with an IPC channel, it ends with its parent instead of keeping the port.
  process.once("disconnect", stop);
  process.stdout.write(`sandbox provider on ${sandbox.url}\n`);
} catch (error) {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
