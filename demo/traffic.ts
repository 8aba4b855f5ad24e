import { onStop } from "@/cli/startup/on-stop";
import { runMain } from "@/cli/startup/run-main";
import { readKeys } from "./traffic/api-key";
import { readTrafficSettings } from "./traffic/options";
import { startTraffic } from "./traffic/start-traffic";

await runMain(async () => {
  const settings = readTrafficSettings(process.argv.slice(2), process.env);
  const traffic = await startTraffic({
    ...settings,
    keys: readKeys(settings.keysPath),
    print: (line) => process.stdout.write(`${line}\n`),
  });
  onStop("traffic", () => traffic.stop());
  process.stdout.write(`traffic on ${settings.baseUrl}\n`);
});
