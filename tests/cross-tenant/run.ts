/**
 * `npm run test:cross-tenant`: people and keys of one tenant ask every route and page for what another tenant has. The last line is
 * `N probes, N through`. docs/TRUST.md.
 */
import { parseArgs } from "node:util";
import { setup, teardown } from "@/db/testing/global-setup";
import { openHost } from "@/http/testing/host";
import { requireInProcess } from "@/http/testing/in-process";
import { readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { sendProbes } from "./campaign";
import { pagesOf } from "./routes";
import { servePages } from "./serve-pages";
import { openWorld } from "./world";

const DEFAULT_PROBES = "10000";
const UNLIMITED = { perSecond: 100_000, burst: 1_000_000 };
const USAGE = `npm run test:cross-tenant [-- options]
  --probes N     requests, each of which has a twin about a tenant that nobody has (${DEFAULT_PROBES})
  --seed TEXT    which of them, and in which order
  --only TEXT    routes and pages whose address has this
  --no-pages     without pages, which need a build
  --no-routes    pages alone`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { wanted, values } = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      probes: { type: "string", default: DEFAULT_PROBES },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
      only: { type: "string", default: "" },
      "no-pages": { type: "boolean", default: false },
      "no-routes": { type: "boolean", default: false },
    },
  });
  return { wanted: wholeNumber("probes", values.probes), values };
});

await setup();
const host = await openHost("mounted", { limits: { admin: UNLIMITED, calls: UNLIMITED } });
const pages = values["no-pages"] ? undefined : await servePages(requireInProcess(host).deps, host);
try {
  say(`seed ${values.seed}`);
  const world = await openWorld(host);
  const result = await sendProbes(world, {
    ...{ probes: wanted, seed: values.seed, only: values.only, routes: !values["no-routes"], say },
    ...{ pages: pages === undefined ? [] : pagesOf(), sendPage: pages?.send },
  });
  const { sent, findings, control, statuses } = result;
  for (const { probe, why } of findings)
    say(
      `THROUGH ${probe.caller.name}, ${probe.attack}: ${probe.target.method} ${probe.path} ${probe.body ?? ""}\n  ${why}`,
    );
  say(`answers ${JSON.stringify(statuses)}`);
  say(`${String(control.length)} lists and pages show the other tenant to somebody who has a grant there`);
  say(`${String(sent)} probes, ${String(findings.length)} through`);
  if (findings.length > 0 || sent < wanted || (control.length === 0 && values.only === "")) process.exitCode = 1;
} finally {
  await pages?.close();
  await host.close();
  await teardown();
}
