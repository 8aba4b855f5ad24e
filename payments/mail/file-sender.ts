import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type { MailSender } from "./mail";

const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Where there is no mail server: one file per notification, `<dir>/<tenant>/<notification key>.eml`. A resend writes the same
 * bytes under the same name, so here a mail truly exists once.
 */
export function createFileSender(dir: string): MailSender {
  return {
    async send({ tenantId, notificationKey, bytes }) {
      const folder = join(dir, safe(tenantId));
      const name = join(folder, `${safe(notificationKey)}.eml`);
      const half = join(folder, `.${randomUUID()}`);
      try {
        await mkdir(folder, { recursive: true, mode: PRIVATE_DIR });
        await writeFile(half, bytes, { mode: PRIVATE_FILE });
        await rename(half, name);
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

/** Names are ours, and still none may leave the folder. */
function safe(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
