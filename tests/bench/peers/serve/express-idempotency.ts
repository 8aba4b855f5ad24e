import type { ErrorRequestHandler, Express, Request, RequestHandler } from "express";
import { insertOrder, orderBody, ORDERS_PATH } from "../orders/order";
import { openPeerKeys } from "./peer-keys";
import type { Mount } from "./place";

interface Resource {
  readonly idempotencyKey: string;
  readonly request: unknown;
  readonly response?: unknown;
}

interface DataAdapter {
  findByIdempotencyKey(key: string): Promise<Resource | null>;
  create(resource: Resource): Promise<void>;
  update(resource: Resource): Promise<void>;
  delete(key: string): Promise<void>;
}

interface Library {
  readonly idempotency: (options: { readonly dataAdapter: DataAdapter }) => RequestHandler;
  readonly getSharedIdempotencyService: () => { isHit(request: Request): boolean };
}

interface ExpressLibrary {
  (): Express;
  json(): RequestHandler;
}

export const mountExpressIdempotency: Mount = async (place) => {
  const express = place.required<ExpressLibrary>("node_modules/express/index.js");
  const { idempotency, getSharedIdempotencyService } = place.required<Library>(
    "node_modules/express-idempotency/dist/index.js",
  );
  const keys = await openPeerKeys(place.pool);
  const dataAdapter: DataAdapter = {
    async findByIdempotencyKey(key) {
      const kept = await keys.get(key);
      if (kept === undefined) return null;
      const resource = JSON.parse(kept.record) as Resource;
      return kept.answer === null ? resource : { ...resource, response: JSON.parse(kept.answer) };
    },
    async create(resource) {
      const key = resource.idempotencyKey;
      if (!(await keys.insert(key, JSON.stringify(resource)))) throw new Error("this key is there already");
    },
    update: ({ idempotencyKey, response }) => keys.answer(idempotencyKey, JSON.stringify(response)),
    delete: (key) => keys.remove(key),
  };
  const app = express();
  app.use((request, response, next) => {
    if (place.clientOf(request.headers.authorization) === undefined) response.status(401).end();
    else next();
  });
  app.use(express.json());
  app.use(idempotency({ dataAdapter }));
  app.post(ORDERS_PATH, async (request, response) => {
    if (getSharedIdempotencyService().isHit(request)) return;
    const command = orderBody.safeParse(request.body);
    if (!command.success) response.status(422).json({ title: command.error.message });
    else response.status(201).json(await insertOrder(place.pool, command.data));
  });
  const failed: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    if (response.headersSent) return;
    response.status(response.statusCode >= 400 ? response.statusCode : 500).json({ title: error.message });
  };
  app.use(failed);
  return { answer: (request, response) => void app(request, response) };
};
