import { openForeign, type Foreign } from "@/attach/connection";

/** Names a variable, because a command line is seen by everybody on the machine. */
export const DEFAULT_URL_VARIABLE = "ATTACH_URL";

/**
 * Opens the database whose address stands in a variable of the environment, and closes it again whatever happens.
 *
 * @throws Error in one sentence when the variable is empty
 */
export async function withAttached(
  variable: string | undefined,
  run: (foreign: Foreign) => Promise<void>,
): Promise<void> {
  const name = variable ?? DEFAULT_URL_VARIABLE;
  const url = process.env[name];
  if (url === undefined || url === "")
    throw new Error(`${name} is empty: put the address of the database to attach there.`);
  const foreign = await openForeign(url);
  try {
    await run(foreign);
  } finally {
    await foreign.close();
  }
}
