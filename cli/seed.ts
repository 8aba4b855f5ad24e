import { seedLean } from "@/demo/history/lean/seed-lean";
import { seed } from "@/demo/history/seed";
import { parseArgs } from "node:util";
import { openForCommand } from "./startup/open-environment";
import { runMain } from "./startup/run-main";

const USAGE =
  "node --import tsx cli/seed.ts --operations 1000000 [--lean | --events 5000000] [--tenant acme] [--force] [--data-dir .onceboard]";
const EVENTS_PER_OPERATION = 5;

/** Fills a tenant with a month of made-up traffic (docs/SEED.md). */
await runMain(async () => {
  const { values } = parseArgs({
    options: {
      operations: { type: "string" },
      events: { type: "string" },
      lean: { type: "boolean", default: false },
      tenant: { type: "string", default: "acme" },
      force: { type: "boolean", default: false },
      "data-dir": { type: "string" },
    },
  });
  const operations = whole("operations", values.operations);
  if (values.lean && values.events !== undefined) throw new Error(`--lean has its own events. Usage: ${USAGE}`);
  const events = values.events === undefined ? operations * EVENTS_PER_OPERATION : whole("events", values.events);
  const environment = await openForCommand(process.env, values["data-dir"]);
  try {
    const url = environment.ownerUrl;
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    const { tenant, force, lean } = values;
    const asked = { url, tenant, operations, force, say };
    const done = await (lean ? seedLean(asked) : seed({ ...asked, events }));
    if (!done.done) say(`Tenant ${tenant} has this seed already.`);
    else {
      for (const [table, rows] of Object.entries(done.rows)) say(`${rows.toLocaleString("en").padStart(12)} ${table}`);
      const made = done.rows["idempotency_requests"] ?? 0;
      say(`${done.seconds.toFixed(1)} s, ${Math.round(made / done.seconds).toLocaleString("en")} operations a second`);
    }
  } finally {
    await environment.close();
  }
});

function whole(name: string, text: string | undefined): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`--${name} is not a whole number. Usage: ${USAGE}`);
  return value;
}
