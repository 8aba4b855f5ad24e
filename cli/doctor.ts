import { parseArgs } from "node:util";
import { examine } from "./doctor/examine";
import { runMain } from "./startup/run-main";

const STATE_WIDTH = 7;

/** Says line by line whether processes can run here, and how they do. */
await runMain(async () => {
  const { values } = parseArgs({ options: { backup: { type: "string" } } });
  const findings = await examine(process.env, values);
  for (const { state, text } of findings) process.stdout.write(`${state.padEnd(STATE_WIDTH)}  ${text}\n`);
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  if (wrong === 0) return;
  process.stderr.write(wrong === 1 ? "One thing is wrong.\n" : `${String(wrong)} things are wrong.\n`);
  process.exitCode = 1;
});
