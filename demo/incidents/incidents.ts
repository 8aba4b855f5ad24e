import { cartId } from "./cart-id";
import { lostAnswer } from "./lost-answer";
import { poisonMessage } from "./poison-message";
import { providerOutage } from "./provider-outage";
import type { IncidentScript } from "./scene";

export interface IncidentEntry {
  readonly name: string;
  /** One line. */
  readonly about: string;
  readonly play: IncidentScript;
}

/** What docs/TOUR.md walks through. */
export const INCIDENTS: readonly IncidentEntry[] = [
  { name: "lost-answer", about: "the provider took the money, its answer was lost", play: lostAnswer },
  { name: "cart-id", about: "a till uses the id of the cart as its key", play: cartId },
  { name: "provider-outage", about: "the provider goes away in the middle of a dozen payments", play: providerOutage },
  { name: "poison-message", about: "webhooks that no consumer can read", play: poisonMessage },
];

/** @throws Error in one sentence that names the incidents */
export function incidentOf(name: string | undefined): IncidentEntry {
  const found = INCIDENTS.find((incident) => incident.name === name);
  if (found !== undefined) return found;
  const all = INCIDENTS.map((incident) => `${incident.name} (${incident.about})`).join(", ");
  throw new Error(`Which incident? npm run incident -- NAME [--for seconds], where NAME is ${all}.`);
}
