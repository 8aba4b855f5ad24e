import { spawnSync } from "node:child_process";
import { chromium, type Browser } from "@playwright/test";

/** As root Chromium has no sandbox of its own; and it must not phone home on a closed network. */
const ARGS = ["--no-sandbox", "--disable-background-networking"];

/** Finds a Chromium, or installs one, and starts it. @throws Error with why there is none */
export async function launchBrowser(): Promise<Browser> {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/find-browser.mjs"], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return chromium.launch({ executablePath: stdout.trim(), args: ARGS });
}
