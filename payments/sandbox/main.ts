import { startSandbox } from "./server";

const DEFAULT_PORT = 3900;

const env = process.env;
const webhookUrl = env["SANDBOX_WEBHOOK_URL"];
const webhookSecret = env["SANDBOX_WEBHOOK_SECRET"];
const seed = Number(env["SANDBOX_SEED"] ?? "");

const sandbox = await startSandbox({
  port: Number(env["SANDBOX_PORT"] ?? DEFAULT_PORT),
  dataDir: env["DATA_DIR"] ?? ".onceboard",
  ...(webhookUrl && webhookSecret ? { webhook: { url: webhookUrl, secret: webhookSecret } } : {}),
  ...(seed > 0 ? { seed } : {}),
});
process.stdout.write(`sandbox provider on ${sandbox.url}\n`);

const stop = (): void => {
  void sandbox.close().then(() => process.exit(0));
};
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
// Started with an IPC channel, it ends with its parent instead of keeping the port.
process.once("disconnect", stop);
