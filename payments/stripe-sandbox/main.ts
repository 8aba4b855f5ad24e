import { startStripeSandbox } from "./server";

const DEFAULT_PORT = 3910;
const MAX_PORT = 65_535;

try {
  const port = Number(process.env["STRIPE_SANDBOX_PORT"] ?? DEFAULT_PORT);
  if (!(Number.isInteger(port) && port >= 0 && port <= MAX_PORT))
    throw new Error("STRIPE_SANDBOX_PORT is no port number.");
  const sandbox = await startStripeSandbox({ port });
  const stop = (): void => {
    void sandbox.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  // Started with an IPC channel, it ends with its parent instead of keeping the port.
  process.once("disconnect", stop);
  process.stdout.write(`stripe sandbox on ${sandbox.url}\n`);
} catch (error) {
  process.stderr.write(`stripe sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
