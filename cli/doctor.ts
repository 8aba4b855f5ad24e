import { examine } from "./startup/examine";
import { runMain } from "./startup/run-main";

/** Says line by line whether processes can run here. */
await runMain(async () => {
  const findings = await examine(process.env);
  for (const { state, text } of findings) process.stdout.write(`${state.padEnd(5)}  ${text}\n`);
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  if (wrong === 0) return;
  process.stderr.write(wrong === 1 ? "One thing is wrong.\n" : `${String(wrong)} things are wrong.\n`);
  process.exitCode = 1;
});
