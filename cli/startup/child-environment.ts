import type { SideProcess } from "@/engine/module/module";
import type { ChildPlan } from "../supervise";
import { ownEntry } from "./installation";

/** What any program needs to run here: where things lie, how times and texts are written, how Node runs. No secret is among them. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "PWD", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP"],
  ...["LD_LIBRARY_PATH", "SystemRoot", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"],
  ...["NODE_ENV", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "TSX_TSCONFIG_PATH"],
  ...["NO_COLOR", "FORCE_COLOR", "CI", "LOG_LEVEL"],
]);
/** Of the console's build. */
const OF_A_BUILD = ["BASE_PATH", "NEXT_DIST_DIR", "NEXT_TELEMETRY_DISABLED"];
const BUILT_FROM = /^NEXT_PUBLIC_/;

/**
 * The environment of a program that is none of a deployment: neither SECRET nor a key, a URL with a password or anything else that
 * it has no use for.
 *
 * @param more names that it has a use for
 */
export function leanEnvironment(env: NodeJS.ProcessEnv, more: readonly string[] = []): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => OF_THE_MACHINE.has(name) || name.startsWith("LC_") || more.includes(name),
  );
  return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}

export function buildEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return leanEnvironment(env, [...OF_A_BUILD, ...Object.keys(env).filter((name) => BUILT_FROM.test(name))]);
}

/**
 * The children of a whole stack, in the order in which they start. `serve` and `worker` run the deployment's configuration, which may
 * read whatever it was given; the process of a module gets its port, the data directory and what its module says.
 *
 * @param env in which serve and worker parse their configuration
 */
export function childrenOf(env: NodeJS.ProcessEnv, processes: readonly SideProcess[]): readonly ChildPlan[] {
  const beside = processes.map(({ name, entry, ready, env: own, port, reads = [] }) => ({
    name,
    entry,
    ready,
    env: {
      ...leanEnvironment(env, ["DATA_DIR", ...reads]),
      ...(port !== undefined && { [port.setting]: String(port.number) }),
      ...own,
    },
  }));
  return [
    ...beside,
    { name: "serve", entry: ownEntry("cli/serve"), env, ready: /^serve ready /, hearsDown: true },
    { name: "worker", entry: ownEntry("cli/worker"), env, ready: /^worker ready/ },
  ];
}
