import { AppError } from "@/domain/errors";
import type { StoredResponse } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import type { ResourceName } from "@/engine/execute/operation";
import { readAccount, readPayment, readRefund } from "./read";

/** A resource as it is now, for operations that replay by reference. @returns undefined when it is gone */
export async function represent(ctx: EngineContext, resource: ResourceName): Promise<StoredResponse | undefined> {
  try {
    const { view, location } = await read(ctx, resource);
    const body = Buffer.from(JSON.stringify(view));
    return { status: 200, headers: { "content-type": "application/json", location }, body };
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined;
    throw error;
  }
}

async function read(
  ctx: EngineContext,
  { type, id }: ResourceName,
): Promise<{ readonly view: Record<string, unknown>; readonly location: string }> {
  switch (type) {
    case "payment":
      return { view: await readPayment(ctx, id), location: `/api/v1/payments/${id}` };
    case "refund":
      return { view: await readRefund(ctx, id), location: `/api/v1/refunds/${id}` };
    case "account": {
      const location = `/api/v1/accounts/${encodeURIComponent(id)}`;
      return { view: (await readAccount(ctx, id)).view, location };
    }
    default:
      throw new AppError("resource.not_found", 404, "There is no such resource");
  }
}
