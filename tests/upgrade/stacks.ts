import { freePort } from "@/cli/startup/listen";
import { startVersion, type Running, type Version, type VersionEnvironment } from "./version";

/** API, worker and console of one version. */
export interface VersionStack {
  /** Of the API. */
  readonly url: string;
  /** Of the console. */
  readonly console: string;
  stop(): Promise<void>;
}

/** @param violate is told of a process that did not end as it should */
export function createStacks(violate: (text: string) => void) {
  const running = new Set<Running>();

  async function begin(version: Version, entry: string, env: VersionEnvironment): Promise<Running> {
    const process = await startVersion(version, entry, env);
    running.add(process);
    return process;
  }

  return {
    begin,
    async start(version: Version, env: VersionEnvironment): Promise<VersionStack> {
      const [port, consolePort] = [String(await freePort()), String(await freePort())];
      const url = `http://127.0.0.1:${port}`;
      const processes = [
        await begin(version, "cli/api.ts", { ...env, PORT: port }),
        // It delivers to the API at this address; what browsers are told leads nowhere here.
        await begin(version, "cli/worker.ts", { ...env, PUBLIC_URL: url }),
        await begin(version, "cli/serve.ts", { ...env, PORT: consolePort }),
      ];
      return {
        url,
        console: `http://127.0.0.1:${consolePort}`,
        async stop() {
          for (const each of processes) {
            const code = await each.stop();
            running.delete(each);
            if (code !== 0) violate(`${each.name} ended with ${String(code)}`);
          }
        },
      };
    },
    kill(): void {
      for (const each of running) each.kill();
    },
  };
}
