import { join } from "node:path";

/** The smallest application of Next that can be asked for: what its pages cost is what no page of Next can be below. */
export default {
  turbopack: { root: join(import.meta.dirname, "../../../..") },
  typescript: { ignoreBuildErrors: true },
};
