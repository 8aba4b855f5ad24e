import { honoPeer } from "./hono-peer";
import type { Mount } from "./place";

/** Somebody who has never heard of retries. */
export const mountPlain: Mount = (place) => Promise.resolve(honoPeer(place, []));
