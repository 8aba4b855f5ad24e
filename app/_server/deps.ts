import "server-only";

import { parseConfig } from "@/domain/config";
import { createDeps, type HttpDeps } from "@/http/deps";

const KEY = Symbol.for("onceboard.deps");
const store = globalThis as typeof globalThis & { [KEY]?: Promise<HttpDeps> };

/** What this process works with; made once, whichever bundle asks first. */
export function processDeps(): Promise<HttpDeps> {
  return (store[KEY] ??= createDeps(parseConfig(process.env), "console"));
}
