import { runPretendServer } from "../pretend-server";
import { startStripeSandbox } from "./server";

await runPretendServer("stripe sandbox", { variable: "STRIPE_SANDBOX_PORT", byDefault: 3910 }, (port) =>
  startStripeSandbox({ port }),
);
