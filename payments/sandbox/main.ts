import { runPretendServer } from "../pretend-server";
import { startSandbox } from "./server";

const { DATA_DIR, SANDBOX_WEBHOOK_URL: url, SANDBOX_WEBHOOK_SECRET: secret, SANDBOX_SEED } = process.env;
const seed = Number(SANDBOX_SEED);

await runPretendServer("sandbox provider", { variable: "SANDBOX_PORT", byDefault: 3900 }, (port) =>
  startSandbox({
    port,
    dataDir: DATA_DIR ?? ".onceboard",
    ...(url && secret ? { webhook: { url, secret } } : {}),
    ...(seed > 0 ? { seed } : {}),
  }),
);
