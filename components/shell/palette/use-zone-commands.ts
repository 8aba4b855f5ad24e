import { useMemo, useState } from "react";
import { ZONE_NOT_KEPT } from "../zone-choice";
import { usePersonZone } from "@/components/ui/values/use-zone";
import { isNamedZone, type Zone } from "@/domain/time-zone";
import { matching, type PaletteCommand } from "./commands";

/** Named zones that are offered at once: "America" has more than a hundred. */
const MOST_ZONES = 8;
/** Fewer letters name no place. */
const LETTERS = 2;

interface ZoneCommands {
  /** UTC and local time. */
  readonly always: readonly PaletteCommand[];
  /** Zones of the places that were typed. */
  readonly named: (typed: string) => readonly PaletteCommand[];
}

/** The choice of a zone for screens whose top bar has no room for it. @param say what became of a choice: the palette stays for it */
export function useZoneCommands(say: (text: string) => void): ZoneCommands {
  const { choice, choose } = usePersonZone();
  const [zones] = useState(() => Intl.supportedValuesOf("timeZone").filter(isNamedZone));
  return useMemo(() => {
    const command = (zone: Zone, name: string): PaletteCommand => ({
      id: `zone ${zone}`,
      group: "Display",
      label: `Times in ${name}`,
      words: "zone clock",
      note: zone === choice ? "now" : zone === "local" ? "or type a city" : undefined,
      stays: true,
      run: () => {
        say(`Times in ${name}`);
        void choose(zone).then((kept) => {
          if (!kept) say(ZONE_NOT_KEPT);
        });
      },
    });
    return {
      always: [command("utc", "UTC"), command("local", "local time")],
      named: (typed) =>
        typed.length < LETTERS
          ? []
          : matching(
              zones.map((zone) => command(zone, zone.replaceAll("_", " "))),
              typed,
            ).slice(0, MOST_ZONES),
    };
  }, [zones, choice, choose, say]);
}
