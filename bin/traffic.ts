import { readKeys } from "./traffic/api-key";
import { readSettings } from "./traffic/options";
import { startTraffic } from "./traffic/start-traffic";

const settings = readSettings(process.argv.slice(2), process.env);
const traffic = await startTraffic({
  ...settings,
  keys: readKeys(settings.keysPath),
  print: (line) => process.stdout.write(`${line}\n`),
});

let stopping = false;
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  void traffic.stop().then(() => process.exit(0));
};
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
// Started with an IPC channel, it ends with its parent.
process.once("disconnect", stop);
