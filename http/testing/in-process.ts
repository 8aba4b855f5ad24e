import type { TestHost } from "./host";

/** @returns the parts of a host that runs in this process. @throws Error for a server elsewhere */
export function requireInProcess(host: TestHost): { readonly deps: NonNullable<TestHost["deps"]> } {
  if (host.deps === undefined) throw new Error("this case needs a host in this process");
  return { deps: host.deps };
}
