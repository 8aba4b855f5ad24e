import { runStack } from "./startup/run-stack";
import { runMain } from "./startup/run-main";

await runMain(() =>
  runStack({
    name: "start",
    logFiles: false,
    then: ({ config, say }) => {
      say(`Onceboard is on ${config.publicUrl}  (Ctrl-C stops it)`);
      if (config.databaseUrl !== process.env["DATABASE_URL"])
        say(
          `Its database is kept in ${config.dataDir}: npm run -s operator and api-key take --data-dir ${config.dataDir}`,
        );
      return Promise.resolve();
    },
  }),
);
