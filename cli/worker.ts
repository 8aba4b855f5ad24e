import { loadKafka } from "@/engine/outbox/transports/kafka-line";
import { createContainer } from "@/http/container";
import { startWorker } from "@/worker/main";
import { loadConfig, registerKinds } from "./startup/load-config";
import { startMetricsPort } from "./startup/metrics-port";
import { onStop } from "./startup/on-stop";
import { openDeployment } from "./startup/open-environment";
import { warnOfOwner } from "./startup/reach-database";
import { runMain } from "./startup/run-main";
import { startTelemetry } from "./startup/telemetry";

/** The loops: recover, relay, consume, roll up, retain. Any number of these; each row is taken by one. */
await runMain(async () => {
  const config = await openDeployment(process.env);
  // Said at once and by the process itself, not by each message that cannot leave.
  if (config.kafkaUrl !== undefined) await loadKafka();
  const telemetry = await startTelemetry(config, "worker");
  const deps = await createContainer(config, "worker", await loadConfig());
  registerKinds(deps);
  warnOfOwner(deps);
  const metrics = await startMetricsPort({ port: config.workerMetricsPort, variable: "WORKER_METRICS_PORT" }, deps);
  const worker = startWorker(deps);
  onStop("worker", async () => {
    await worker.stop();
    await metrics.stop();
    await deps.close();
    await telemetry.stop();
  });
  process.stdout.write("worker ready\n");
});
