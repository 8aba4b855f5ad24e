"use client";

import { usePathname } from "next/navigation";
import { useRouter } from "@/components/navigation/router";
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { findHref } from "@/components/find/find-href";
import { setDensity, useDensity } from "@/components/table/use-density";
import { SCHEMES } from "@/components/theme/scheme";
import { setScheme, useScheme } from "@/components/theme/use-scheme";
import { DENSITIES } from "@/presentation/list/density";
import { looksLikeName, matching, MOST_COMMANDS, placeCommands, placeLabel, type PaletteCommand } from "./commands";
import { useLive } from "../live-provider";
import { copyCommands } from "./page-commands";
import { recentPlaces } from "./recent-places";
import { signOut } from "../sign-out";
import { usePageCommands } from "./use-page-commands";
import { useViewCommands } from "./use-view-commands";
import { useZoneCommands } from "./use-zone-commands";
import styles from "./palette.module.css";

const MAX_QUERY = 300;

/** Every page, saved view and action by its name. A native dialog gives the focus back; the field keeps it meanwhile. */
export function Palette({ close, showKeys }: { readonly close: () => void; readonly showKeys: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [said, setSaid] = useState("");
  const ids = useId();
  const shown = useShown(typed, { showKeys, say: setSaid });
  const { current, gone, point, begin } = useChosen(shown);

  useEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
  }, []);
  useEffect(() => {
    document.getElementById(`${ids}-${String(current)}`)?.scrollIntoView({ block: "nearest" });
  }, [ids, current]);

  const choose = (command: PaletteCommand | undefined): void => {
    if (command === undefined || command.off !== undefined) return;
    if (command.stays !== true) dialog.current?.close();
    command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      point((Math.max(0, current) + (gone ? 0 : step) + shown.length) % Math.max(1, shown.length));
    else if (event.key === "Home" && typed === "") point(0);
    else if (event.key === "End" && typed === "") point(shown.length - 1);
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) choose(shown[current]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className={styles["palette"]}
      aria-label="Commands"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      <div>
        <input
          className={styles["field"]}
          role="combobox"
          aria-label="Page, view, action, key, id or amount"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${ids}-list`}
          aria-activedescendant={current === -1 ? undefined : `${ids}-${String(current)}`}
          placeholder="Page, view, action, key, id or amount"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={MAX_QUERY}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            begin();
          }}
          onKeyDown={onKey}
        />
        <Options ids={ids} commands={shown} current={current} choose={choose} point={point} />
        <Foot said={gone ? "What was chosen has changed: choose again" : said} />
      </div>
    </dialog>
  );
}

/** The marked option, by what it is and not by where it stands: the page behind goes on, and its commands with it. */
function useChosen(shown: readonly PaletteCommand[]) {
  const [at, setAt] = useState<string>();
  const [first] = shown;
  if (at === undefined && first !== undefined) setAt(first.id);
  const current = shown.findIndex(({ id }) => id === at);
  return {
    /** -1: none is. */
    current,
    /** What was marked is not offered any more. */
    gone: at !== undefined && current === -1 && first !== undefined,
    point: (index: number): void => {
      setAt(shown[index]?.id);
    },
    /** Marks the first one. */
    begin: (): void => {
      setAt(undefined);
    },
  };
}

function Foot({ said }: { readonly said: string }) {
  return (
    <p className={styles["foot"]}>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> walk, <kbd>Enter</kbd> does it, <kbd>Esc</kbd> leaves
      </span>
      <span role="status">{said}</span>
    </p>
  );
}

interface OptionsProps {
  readonly ids: string;
  readonly commands: readonly PaletteCommand[];
  readonly current: number;
  readonly choose: (command: PaletteCommand) => void;
  readonly point: (index: number) => void;
}

function Options({ ids, commands, current, choose, point }: OptionsProps) {
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <div id={`${ids}-list`} role="listbox" aria-label="Commands" className={styles["list"]} tabIndex={-1}>
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group}>
          <div className={styles["group"]} aria-hidden>
            {group}
          </div>
          {commands.map((command, index) =>
            command.group !== group ? null : (
              <div
                key={command.id}
                id={`${ids}-${String(index)}`}
                role="option"
                aria-selected={index === current}
                aria-disabled={command.off !== undefined || undefined}
                className={styles["option"]}
                onMouseMove={() => {
                  if (index !== current) point(index);
                }}
                onClick={() => {
                  choose(command);
                }}
              >
                <span>{command.label}</span>
                <small>{command.off ?? command.note}</small>
              </div>
            ),
          )}
        </div>
      ))}
    </div>
  );
}

interface Doers {
  readonly showKeys: () => void;
  readonly say: (text: string) => void;
}

/** What is offered for what was typed; what looks like a name is looked up first. Grouped, so that the order on the screen is the order of the keys. */
function useShown(typed: string, doers: Doers): readonly PaletteCommand[] {
  const zones = useZoneCommands(doers.say);
  const all = useCommands(doers, zones.always);
  const router = useRouter();
  const { tenant } = useLive();
  return useMemo(() => {
    const query = typed.trim();
    const found = [...matching(all, query), ...zones.named(query)];
    const find: PaletteCommand = {
      id: "find",
      group: "Find",
      label: `Find “${query}”`,
      note: "key, id, reference, amount",
      run: () => {
        void findHref(query, tenant).then((href) => {
          router.push(href);
        });
      },
    };
    const list = query === "" ? found : looksLikeName(query) ? [find, ...found] : [...found, find];
    const order = [...new Set(list.map(({ group }) => group))];
    return order.flatMap((group) => list.filter((command) => command.group === group)).slice(0, MOST_COMMANDS);
  }, [all, zones, typed, router, tenant]);
}

function useCommands({ showKeys, say }: Doers, zones: readonly PaletteCommand[]): readonly PaletteCommand[] {
  const router = useRouter();
  const path = usePathname();
  const views = useViewCommands();
  const settings = useSettingCommands(showKeys, zones);
  const page = usePageCommands();
  const [copies] = useState(() => {
    const copy = (text: string): void => {
      void navigator.clipboard.writeText(text).then(() => {
        say("Copied");
      });
    };
    return copyCommands(path + window.location.search, copy);
  });
  return useMemo(() => {
    const go = (href: string): void => {
      router.push(href);
    };
    const here = path + window.location.search;
    const recent = recentPlaces()
      .filter(({ href }) => href !== here)
      .map(({ href, title }): PaletteCommand => ({
        id: `recent ${href}`,
        group: "Recent",
        // A title is what was true when it was read, so it only helps to find the place.
        label: placeLabel(href),
        note: href.length > 40 ? `${href.slice(0, 39)}…` : href,
        words: `${title} ${href}`,
        run: () => {
          go(href);
        },
      }));
    return [...page, ...copies, ...recent.slice(0, 5), ...placeCommands(go), ...views, ...settings];
  }, [router, path, page, copies, views, settings]);
}

function useSettingCommands(showKeys: () => void, zones: readonly PaletteCommand[]): readonly PaletteCommand[] {
  const scheme = useScheme();
  const density = useDensity();
  const { status, toggle } = useLive();
  return useMemo(() => {
    const set = (label: string, words: string, on: boolean, run: () => void): PaletteCommand => ({
      id: `set ${label}`,
      group: "Display",
      label,
      words,
      note: on ? "now" : undefined,
      run,
    });
    return [
      ...SCHEMES.map((one) =>
        set(`Theme: ${one}`, "colour scheme", one === scheme, () => {
          setScheme(one);
        }),
      ),
      ...zones,
      ...DENSITIES.map((one) =>
        set(`Rows: ${one}`, "density", one === density, () => {
          setDensity(one);
        }),
      ),
      set(status === "paused" ? "Go on live" : "Pause live", "updates refresh", false, toggle),
      { id: "keys", group: "Help", label: "Keys", note: "?", words: "shortcuts keyboard help", run: showKeys },
      { id: "sign out", group: "Help", label: "Sign out", words: "leave log out", run: () => void signOut() },
    ];
  }, [scheme, zones, density, status, toggle, showKeys]);
}
