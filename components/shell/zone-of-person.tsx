"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { ZoneContext } from "@/components/ui/values/use-zone";
import type { Zone } from "@/domain/time-zone";
import { keepBrowserZone, readBrowserZone, type ShownZone } from "./browser-zone";

export interface ZoneOfPersonProps {
  readonly tenant: string;
  /** What the database has. */
  readonly choice: Zone;
  /** The zone of this browser, if it said so with an earlier request; the server wrote `local` times in it. */
  readonly browserZone: ShownZone | undefined;
  readonly children: ReactNode;
}

const nothing = (): (() => void) => () => undefined;

/** Carries the person's zone to every time of the page. The server's first paint has it already. */
export function ZoneOfPerson({ tenant, choice, browserZone, children }: ZoneOfPersonProps) {
  const router = useRouter();
  const [chosen, setChosen] = useState<{ readonly before: Zone; readonly zone: Zone }>();
  // A choice of another browser counts from the next rendering of the server on.
  const current = chosen?.before === choice ? chosen.zone : choice;
  const here = useSyncExternalStore(nothing, readBrowserZone, () => browserZone ?? "utc");
  useEffect(keepBrowserZone, []);
  const choose = async (zone: Zone): Promise<boolean> => {
    setChosen({ before: choice, zone });
    keepBrowserZone();
    // What keeps it is loaded with the first choice: most visits choose none.
    const kept = await import("./keep-zone").then(({ keepZone }) => keepZone(tenant, zone)).catch(() => false);
    if (kept) router.refresh();
    else setChosen(undefined);
    return kept;
  };
  const zone = current === "local" ? here : current;
  return <ZoneContext value={{ choice: current, zone, choose }}>{children}</ZoneContext>;
}
