"use client";

import { useEffect, useState } from "react";
import type { PaletteCommand } from "./commands";
import { pageCommands } from "./page-commands";

const said = (commands: readonly PaletteCommand[]): string =>
  JSON.stringify(commands.map(({ id, note, off }) => [id, note, off]));

/** What the page behind the palette offers now: it is read again while the palette is open, and its controls change with it. */
export function usePageCommands(): readonly PaletteCommand[] {
  const [commands, setCommands] = useState(pageCommands);
  useEffect(() => {
    const main = document.getElementById("main");
    if (main === null) return undefined;
    let frame = 0;
    const readAgain = (): void => {
      cancelAnimationFrame(frame);
      // Once for all that changes together.
      frame = requestAnimationFrame(() => {
        const now = pageCommands();
        setCommands((before) => (said(before) === said(now) ? before : now));
      });
    };
    const observer = new MutationObserver(readAgain);
    observer.observe(main, { subtree: true, childList: true, characterData: true, attributes: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);
  return commands;
}
