import { runStack } from "./startup/run-stack";
import { runMain } from "./startup/run-main";

await runMain(() =>
  runStack({
    name: "start",
    logFiles: false,
    then: ({ config, say }) => {
      say(`Onceboard is on ${config.publicUrl}  (Ctrl-C stops it)`);
      return Promise.resolve();
    },
  }),
);
