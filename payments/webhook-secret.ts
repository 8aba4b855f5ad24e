import { hkdfSync } from "node:crypto";

const SECRET_BYTES = 32;

/**
 * The secret with which webhooks from one source are signed. Derived, so that the processes agree without storing it.
 *
 * @param secret the deployment's secret
 * @param source as in `POST /events/{source}`, e.g. `provider`
 * @returns base64 of 32 bytes, as Standard Webhooks wants it
 */
export function webhookSecret(secret: string, source: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "onceboard", `onceboard webhook ${source}`, SECRET_BYTES)).toString(
    "base64",
  );
}
