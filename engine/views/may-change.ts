import { can } from "@/domain/permission";
import type { EngineContext } from "../context";
import { roleOf } from "../read/require";

/** A view is changed by who saved it, and by who may change those of others. */
export function mayChange(ctx: Pick<EngineContext, "actor">, view: { readonly created_by: string }): boolean {
  const role = roleOf(ctx.actor);
  return can(role, "views.write_others") || (can(role, "views.write") && view.created_by === ctx.actor.id);
}
