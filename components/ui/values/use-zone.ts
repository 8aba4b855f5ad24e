"use client";

import { createContext, use } from "react";
import type { Zone } from "@/domain/time-zone";

export interface PersonZone {
  /** As the person chose it. */
  readonly choice: Zone;
  /** What times are written in: `local` is the zone of the browser by its name, UTC until that is known. */
  readonly zone: Exclude<Zone, "local">;
  /** Applies at once to every time on the page, and is kept on the person. @returns whether it is; if not, the page is as before */
  readonly choose: (zone: Zone) => Promise<boolean>;
}

/** Where nobody is signed in, times are in UTC. */
export const ZoneContext = createContext<PersonZone>({
  choice: "utc",
  zone: "utc",
  choose: () => Promise.resolve(false),
});

export function usePersonZone(): PersonZone {
  return use(ZoneContext);
}

/** The zone in which times of this page are written, by the server and in the browser alike. */
export function useZone(): PersonZone["zone"] {
  return use(ZoneContext).zone;
}
