import {
  AppError,
  jsonResponse,
  outboxMessage,
  type Claim,
  type DomainEvent,
  type EngineContext,
  type ResourceName,
  type Settlement,
  type StoredResponse,
} from "@/engine/index";
import { topicOf } from "./event-types";
import { readAccount, readPayment, readRefund } from "./read";
import { viewIn } from "./views";

type View = Readonly<Record<string, unknown>>;

/** What an operation made: its answer, and the event of it. */
export interface Made extends Partial<Pick<DomainEvent, "aggregate" | "data">> {
  readonly event: string;
  readonly resource: ResourceName;
  readonly view: View;
  readonly status?: 200;
}

const READERS: Readonly<Record<string, (ctx: EngineContext, id: string) => Promise<View>>> = {
  payment: readPayment,
  refund: readRefund,
  account: async (ctx, id) => (await readAccount(ctx, id)).view,
};

/** A refusal that does not bind: what stands in the way may still end otherwise. */
export function notSettled(title: string, extensions: Readonly<Record<string, string>> = {}): AppError {
  return new AppError("payment.not_settled", 409, title, { retryable: true, retryAfter: 2, extensions });
}

/** The event is about the resource and carries its view, unless said otherwise. Its shape does not depend on who asked. */
export function madeResource(ctx: EngineContext, { operationId, apiVersion }: Claim, made: Made): Settlement {
  const { event: type, resource, view, status = 201, aggregate = resource, data = view } = made;
  const topic = topicOf(aggregate);
  return {
    state: "COMPLETED",
    resource,
    messages: [outboxMessage(ctx, { type, topic, operationId, aggregate, data })],
    response: responseOf(status, resource, viewIn(apiVersion, view)),
  };
}

/** A resource as it is now, for operations that replay by reference. @returns undefined when it is gone */
export async function represent(
  ctx: EngineContext,
  resource: ResourceName,
  apiVersion: string,
): Promise<StoredResponse | undefined> {
  try {
    const view = await READERS[resource.type]?.(ctx, resource.id);
    return view && responseOf(200, resource, viewIn(apiVersion, view));
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined;
    throw error;
  }
}

function responseOf(status: number, { type, id }: ResourceName, view: View): StoredResponse {
  return jsonResponse(status, view, { location: `/api/v1/${type}s/${encodeURIComponent(id)}` });
}
