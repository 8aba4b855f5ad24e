"use client";

import { createContext, use } from "react";
import type { Zone } from "@/domain/time-zone";

export interface PersonZone {
  /** As the person chose it. */
  readonly choice: Zone;
  /** What times are written in: `local` is the zone of the browser by its name, UTC until that is known. */
  readonly zone: Exclude<Zone, "local">;
  /** Applies at once to every time on the page, and is kept on the person. */
  readonly choose: (zone: Zone) => void;
}

/** Where nobody is signed in, times are in UTC. */
export const ZoneContext = createContext<PersonZone>({ choice: "utc", zone: "utc", choose: () => undefined });

export function usePersonZone(): PersonZone {
  return use(ZoneContext);
}

/** The zone in which times of this page are written, by the server and in the browser alike. */
export function useZone(): PersonZone["zone"] {
  return use(ZoneContext).zone;
}
