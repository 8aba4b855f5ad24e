import { listed } from "../config-values";

/** A host, or a host and its port. */
const HOST = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;
const MAX_HOSTS = 100;

/** ATTACH_HOSTS: hosts whose databases may be attached, `host` or `host:port`, separated by commas. */
export const attachedHosts = listed
  .refine((entries) => entries.every((entry) => HOST.test(entry)), "must be a list of hosts such as orders-db:5432")
  .refine((entries) => entries.length <= MAX_HOSTS, `must have at most ${String(MAX_HOSTS)} entries`);

/**
 * @param allowed entries `host` or `host:port`, as ATTACH_HOSTS has them; without any list every host is allowed
 * @returns whether a database there may be attached and opened
 */
export function isAllowedHost(
  { host, port }: { readonly host: string; readonly port: string },
  allowed: readonly string[] | undefined,
): boolean {
  const name = host.toLowerCase();
  const entries = allowed?.map((entry) => entry.toLowerCase());
  return entries === undefined || entries.includes(name) || entries.includes(`${name}:${port}`);
}

/** @param shown `host:port/database`, as an attachment keeps it */
export function hostOfShown(shown: string): { readonly host: string; readonly port: string } {
  const [, host = "", port = ""] = /^(.+?):(\d+)\//.exec(shown) ?? [];
  return { host, port };
}
