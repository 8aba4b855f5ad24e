import type { ReactElement, ReactNode } from "react";
import { ZoneContext, type PersonZone } from "@/components/ui/values/use-zone";

/** For tests and samples: what a person sees who reads times in this zone. */
export function inZone(zone: PersonZone["zone"], shows: ReactNode): ReactElement {
  return <ZoneContext value={{ choice: zone, zone, choose: () => Promise.resolve(true) }}>{shows}</ZoneContext>;
}
