import { getRequestListener } from "@hono/node-server";
import { createHttpApp } from "@/http/app";
import { createContainer } from "@/http/container";
import { hostRequests } from "./startup/host";
import { drain, listen } from "./startup/listen";
import { loadConfig, registerKinds } from "./startup/load-config";
import { onStop } from "./startup/on-stop";
import { openDeployment } from "./startup/open-environment";
import { runMain } from "./startup/run-main";
import { startTelemetry } from "./startup/telemetry";

/** The API alone, without the console: any number of these behind a load balancer. */
await runMain(async () => {
  const config = await openDeployment(process.env);
  const telemetry = await startTelemetry(config, "api");
  const deps = await createContainer(config, "api", await loadConfig());
  registerKinds(deps);
  const api = getRequestListener(createHttpApp(deps).fetch);
  const server = hostRequests({ basePath: config.basePath, api });
  onStop("api", async () => {
    await drain(server);
    await deps.close();
    await telemetry.stop();
  });
  await listen(server, config.port);
  process.stdout.write(`api ready on http://localhost:${String(config.port)}${config.basePath}\n`);
});
