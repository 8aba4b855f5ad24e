import { getRequestListener } from "@hono/node-server";
import { createHttpApp } from "@/http/app";
import { createContainer } from "@/http/container";
import { createMetrics } from "@/http/metrics/metrics";
import { hostRequests } from "./startup/host";
import { drain, listen } from "./startup/listen";
import { loadConfig, registerKinds } from "./startup/load-config";
import { startMetricsPort } from "./startup/metrics-port";
import { onStop } from "./startup/on-stop";
import { openDeployment } from "./startup/open-environment";
import { warnOfOwner } from "./startup/reach-database";
import { runMain } from "./startup/run-main";
import { startTelemetry } from "./startup/telemetry";

/** The API alone, without the console: any number of these behind a load balancer. */
await runMain(async () => {
  const config = await openDeployment(process.env);
  const telemetry = await startTelemetry(config, "api");
  const deps = await createContainer(config, "api", await loadConfig());
  registerKinds(deps);
  warnOfOwner(deps);
  const metrics = createMetrics(deps);
  const ownPort = await startMetricsPort({ port: config.metricsPort, variable: "METRICS_PORT" }, deps, metrics);
  const api = getRequestListener(createHttpApp(deps, metrics).fetch);
  const server = hostRequests({ basePath: config.basePath, api });
  onStop("api", async () => {
    await drain(server);
    await ownPort.stop();
    await deps.close();
    await telemetry.stop();
  });
  await listen(server, { port: config.port, host: config.listenHost });
  process.stdout.write(`api ready on http://localhost:${String(config.port)}${config.basePath}\n`);
});
