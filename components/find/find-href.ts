import { askOwn } from "@/components/ui/base-path";
import type { FindView } from "@/presentation/views/find";

/** A search that takes longer is shown by its own page, which says that it is at work. */
const TIMEOUT_MS = 3_000;

/**
 * Looks a name up before the page changes, so that the only thing of that name is one page load away.
 *
 * @param tenant whose rows are on the screen
 * @returns the page of the only target; the list of what was found where there are several, none, or no answer in time
 */
export async function findHref(query: string, tenant: string): Promise<string> {
  const list = `/find?q=${encodeURIComponent(query)}`;
  try {
    const response = await askOwn(`/api/v1/admin${list}`, {
      headers: { "onceboard-tenant": tenant },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return list;
    const found = (await response.json()) as FindView;
    const [only, ...others] = found.kind === "found" ? found.targets : [];
    return only !== undefined && others.length === 0 ? only.href : list;
  } catch {
    return list;
  }
}
