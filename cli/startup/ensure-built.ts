import { spawn } from "node:child_process";
import { buildEnvironment } from "./child-environment";
import { BUILT } from "./installation";

/**
 * Builds the console unless the build at hand is of these sources; shows the progress. The package holds it built.
 *
 * @param signal ends the build
 * @throws Error in one sentence when it cannot be built
 */
export function ensureBuilt(signal: AbortSignal): Promise<void> {
  if (BUILT) return Promise.resolve();
  return new Promise((resolve, reject) => {
    // A group of its own, so that Ctrl-C ends it through us and not twice.
    const build = spawn(process.execPath, ["scripts/build.mjs"], {
      stdio: "inherit",
      detached: true,
      env: buildEnvironment(process.env),
    });
    const end = (): void => {
      build.kill("SIGTERM");
    };
    signal.addEventListener("abort", end, { once: true });
    build.once("error", reject);
    build.once("exit", (code) => {
      signal.removeEventListener("abort", end);
      if (code === 0) resolve();
      else reject(new Error("The console could not be built, so nothing was started."));
    });
  });
}
