import { ensureLogin, loginOf } from "../migrations/process-login";

/** The login of the processes on a server of ours: it owns nothing, and who leaves the role in it gains nothing (docs/decisions/0011). */
export const PROCESS_LOGIN = "onceboard_process";

/**
 * Makes the login of the processes on a server of ours, or gives it this password again.
 *
 * @param ownerUrl of a migrated database of it, as a user who may make roles
 * @param password letters, digits, `-` and `_` alone
 * @returns the same database's address as that login
 */
export async function ensureProcessLogin(ownerUrl: string, password: string): Promise<string> {
  const url = new URL(ownerUrl);
  [url.username, url.password] = [PROCESS_LOGIN, password];
  await ensureLogin(ownerUrl, loginOf(url.href));
  return url.href;
}
