import { goProgram } from "../languages";
import { testLibrary } from "../test-library";

const program = goProgram(import.meta.dirname);

/** No preset knows them, for each topic is a table of its own; what is guessed of one has to be right. */
const topic = (tables: "queue" | "offsets") => ({
  ...program,
  run: (command: "fill" | "work", env: Readonly<Record<string, string>>) =>
    program.run(command, { ...env, TABLES: tables }),
  preset: { table: "public.watermill_orders" },
  bad: `update watermill_orders set uuid = '', payload = to_json(repeat('x', 1000000)), metadata = '7', created_at = 'infinity'`,
});

testLibrary({
  ...topic("queue"),
  library: "watermill-sql 4.1, its queue",
  made: ["outgoing sent", "outgoing waiting"],
  update: "update watermill_orders set acked = false",
});

// How far each group of consumers is stands in another table: which message was sent to all cannot be told of a row.
testLibrary({
  ...topic("offsets"),
  library: "watermill-sql 4.1, its topics with offsets",
  made: ["outgoing unknown"],
  update: "update watermill_offsets_orders set offset_acked = 0",
});
