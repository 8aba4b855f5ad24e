import { getRequestListener } from "@hono/node-server";
import { createHttpApp } from "@/http/app";
import { shareConfig } from "@/engine/module/config";
import { createContainer } from "@/http/container";
import { createMetrics } from "@/http/metrics/metrics";
import { hearDownParts } from "@/engine/telemetry/down-parts";
import { consoleDirectory } from "./startup/console-build";
import { hostRequests, noUpgrades } from "./startup/host";
import { drain, listen } from "./startup/listen";
import { loadConfig, registerKinds } from "./startup/load-config";
import { startMetricsPort } from "./startup/metrics-port";
import { onStop } from "./startup/on-stop";
import { environmentOf, openDeployment } from "./startup/open-environment";
import { warnOfOwner } from "./startup/reach-database";
import { runMain } from "./startup/run-main";
import { startTelemetry } from "./startup/telemetry";

/** Console and API on one port: `/api/*` below the base path goes straight to the handlers, everything else below it to Next. */
await runMain(async () => {
  hearDownParts();
  const config = await openDeployment(process.env);
  // Pages parse the same configuration from the environment of this process, in Next's own copy of the modules.
  Object.assign(process.env, environmentOf(config));
  const source = await loadConfig();
  shareConfig(source);
  const { default: next } = await import("next");
  const console = next({ dir: consoleDirectory(config), dev: false, port: config.port, httpServer: noUpgrades() });
  await console.prepare();
  const telemetry = await startTelemetry(config, "serve");
  const deps = await createContainer(config, "serve", source);
  registerKinds(deps);
  warnOfOwner(deps);
  const metrics = createMetrics(deps);
  const ownPort = await startMetricsPort({ port: config.metricsPort, variable: "METRICS_PORT" }, deps, metrics);
  // Next compares with the platform's own Request and Response, so they are left as they are.
  const api = getRequestListener(createHttpApp(deps, metrics).fetch, { overrideGlobalObjects: false });
  const pages = console.getRequestHandler();
  const server = hostRequests({ basePath: config.basePath, api, pages });
  onStop("serve", async () => {
    await drain(server);
    await ownPort.stop();
    await deps.close();
    await telemetry.stop();
    await console.close();
  });
  await listen(server, { port: config.port, host: config.listenHost });
  process.stdout.write(`serve ready on ${config.publicUrl}\n`);
});
