import type { Host } from "./host";

/** @returns the parts of a host that runs in this process. @throws Error for a server elsewhere */
export function requireInProcess(host: Host): { readonly deps: NonNullable<Host["deps"]> } {
  if (host.deps === undefined) throw new Error("this case needs a host in this process");
  return { deps: host.deps };
}
