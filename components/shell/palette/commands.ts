import { UUID } from "@/domain/uuid";
import { isCurrent, isUnder, NAVIGATION, type NavPlace } from "../navigation";
import { JUMPS } from "./jumps";

export interface PaletteCommand {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  /** At its right: where it leads, what it is now, or the key that does it. */
  readonly note?: string | undefined;
  /** More words that find it. */
  readonly words?: string | undefined;
  /** Why it is off; it stays visible. */
  readonly off?: string | undefined;
  /** The palette stays open for what it says. */
  readonly stays?: boolean | undefined;
  readonly run: () => void;
}

/** Options that are shown at once; more typing makes them fewer. */
export const MOST_COMMANDS = 60;

/** Every page of the navigation, and those that belong to them. @param go follows an address inside the console */
export function placeCommands(go: (href: string) => void): PaletteCommand[] {
  const keys = new Map(Object.entries(JUMPS).map(([key, href]) => [href, key]));
  return NAVIGATION.flatMap((group) =>
    group.items.flatMap((item) =>
      [item, ...(item.within ?? [])].map(({ href, label }: NavPlace) => ({
        id: `place ${href}`,
        group: "Go to",
        label,
        note: keys.has(href) ? `g ${keys.get(href) ?? ""}` : label === item.label ? undefined : item.label,
        words: `${group.label} ${item.label}`,
        run: () => {
          go(href);
        },
      })),
    ),
  );
}

/** "Plans 01a1b2c3": the place of an address as the navigation calls it, with the end of what it is about. */
export function placeLabel(href: string): string {
  const [path = ""] = href.split("?");
  const item = NAVIGATION.flatMap(({ items }) => items).find((each) => isCurrent(each, path));
  const inner = item?.within?.find((each) => isUnder(each.href, path));
  const [, about = ""] = path.slice(inner?.href.length ?? path.indexOf("/", 1)).split("/");
  const last = decodeURIComponent(about);
  const name = (inner ?? item)?.label ?? path;
  return last === "" ? name : `${name} ${UUID.test(last) ? last.slice(-8) : last}`;
}

/** @returns those in which every word that was typed occurs, in their order */
export function matching(commands: readonly PaletteCommand[], typed: string): readonly PaletteCommand[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands;
  return commands.filter(({ label, group, words: more = "" }) => {
    const text = `${label} ${group} ${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Whether what was typed looks like a name of one thing, and not like the name of a command. */
export function looksLikeName(typed: string): boolean {
  return /\d/.test(typed) && typed.trim().length >= 3;
}
