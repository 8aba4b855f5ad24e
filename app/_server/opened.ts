import "server-only";

import type { Opened } from "@/components/table/use-opened";
import { UUID } from "@/domain/uuid";
import type { EngineContext } from "@/engine/context";
import { attempt, readOrAgain } from "./attempt";

/**
 * What an address opens beside a list, read with the page. What fails is read again by the pane, which says so.
 *
 * @param id as the address has it; what is no id names nothing
 * @param name value of the parameter, where it is more than the id
 */
export async function opened<Value>(
  ctx: EngineContext,
  id: string | undefined,
  read: (id: string) => Promise<Value | undefined>,
  name = id,
): Promise<Opened<Value> | undefined> {
  if (id === undefined || name === undefined) return undefined;
  if (!UUID.test(id)) return { name, value: "gone" };
  const found = await attempt(ctx, () => readOrAgain(ctx, () => read(id)));
  return found.ok ? { name, value: found.value ?? "gone" } : undefined;
}
