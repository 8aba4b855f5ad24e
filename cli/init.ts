import { writeProject } from "./startup/write-project";
import { runMain } from "./startup/run-main";

/** Writes a configuration and an example operation into the working directory. */
await runMain(() => {
  for (const line of writeProject(process.cwd())) process.stdout.write(`${line}\n`);
  return Promise.resolve();
});
