import { createDeps } from "@/http/deps";
import { startWorker } from "@/worker/main";
import { onStop } from "./startup/on-stop";
import { openEnvironment } from "./startup/open-environment";
import { runMain } from "./startup/run-main";

/** The loops: recover, relay, consume, roll up, retain. Any number of these; each row is taken by one. */
await runMain(async () => {
  const environment = await openEnvironment(process.env);
  const deps = await createDeps(environment.config, "worker");
  const worker = startWorker(deps);
  onStop("worker", async () => {
    await worker.stop();
    await deps.close();
    await environment.close();
  });
  process.stdout.write("worker ready\n");
});
