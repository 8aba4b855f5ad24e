import { checkAttachment } from "@/attach/check/check-attachment";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { PRESETS } from "@/attach/presets";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { withAttached } from "./open-attached";

const USAGE = "attach check [--url-variable NAME] [--as SCHEMA]";
const STATE_WIDTH = 5;

/** Whether an attachment can be used, a line each; ends with 1 when something is wrong. */
export async function checkAttached(argv: readonly string[]): Promise<void> {
  const values = readArguments(argv, typed(USAGE), { needed: [], optional: ["url-variable", "as"] });
  await withAttached(values["url-variable"], async (foreign) => {
    const findings = await checkAttachment(foreign, values.as ?? ATTACH_SCHEMA, PRESETS);
    for (const { state, text, mend } of findings) {
      process.stdout.write(`${state.padEnd(STATE_WIDTH)}  ${text}\n`);
      if (mend !== undefined) process.stdout.write(`${" ".repeat(STATE_WIDTH)}  mend: ${mend}\n`);
    }
    if (findings.some(({ state }) => state === "wrong")) process.exitCode = 1;
  });
}
