import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type { MailSender } from "./mail";

/** Files of one tenant that are kept, and how often the oldest beyond that are looked for. */
export const FILES_KEPT = 5_000;
export const PRUNE_EVERY = 500;
const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Where there is no mail server: one file per notification, `<dir>/<tenant>/<notification key>.eml`. A resend writes the same
 * bytes under the same name, so here a mail truly exists once. The newest FILES_KEPT of a tenant are kept.
 */
export function createFileSender(dir: string): MailSender {
  let written = 0;
  return {
    async send({ tenantId, notificationKey, bytes }) {
      const folder = join(dir, safe(tenantId));
      const name = join(folder, `${safe(notificationKey)}.eml`);
      // Else the build takes the name for any file of the project, and lists all of them for every page.
      const half = join(/* turbopackIgnore: true */ folder, `.${randomUUID()}`);
      try {
        await mkdir(folder, { recursive: true, mode: PRIVATE_DIR });
        await writeFile(half, bytes, { mode: PRIVATE_FILE });
        await rename(half, name);
        if ((written += 1) % PRUNE_EVERY === 0) await prune(folder, FILES_KEPT);
        return { kind: "acknowledged" };
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
        return {
          kind: "unavailable",
          code: "mail.no_file",
          reason: `The mail could not be written to a file: ${code}`,
        };
      }
    },
  };
}

/** Removes the oldest files of a folder beyond `keep`: a demo that runs for weeks fills no disk. */
export async function prune(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".eml"));
  if (names.length <= keep) return;
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  aged.sort((a, b) => a.at - b.at);
  for (const { name } of aged.slice(0, names.length - keep)) await rm(join(folder, name), { force: true });
}

/** Names are ours, and still none may leave the folder. */
function safe(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
