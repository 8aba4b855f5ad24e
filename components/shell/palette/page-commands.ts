import { UUID_INSIDE } from "@/domain/uuid";
import type { PaletteCommand } from "./commands";

const MOST = 12;
/** Buttons and links that are drawn as such, and what copies or exports; not those of single rows. */
const CONTROLS =
  "button[data-variant], a[data-variant], button[data-command], button[aria-expanded], summary[data-command], a[download]";

/** What the page behind the palette offers, read from its own controls: the same press, the same reason when it is off. */
export function pageCommands(): PaletteCommand[] {
  const main = document.getElementById("main");
  if (main === null) return [];
  const found = new Map<string, PaletteCommand>();
  for (const control of main.querySelectorAll<HTMLElement>(CONTROLS)) {
    if (control.closest("td, dialog, [data-popup], details:not([open])") !== null || control.offsetParent === null)
      continue;
    const key = control.querySelector("kbd")?.textContent;
    const label = labelOf(control);
    if (label === "" || found.has(label) || found.size >= MOST) continue;
    const off = control instanceof HTMLButtonElement && control.disabled;
    // Off without a reason: there is just nothing to do, such as no newer page.
    if (off && control.title === "") continue;
    found.set(label, {
      id: `page ${label}`,
      group: "On this page",
      label,
      note: key,
      off: off ? control.title : undefined,
      run: () => {
        // What it says now is what it does: a control that was drawn anew under the palette is another command.
        if (control.isConnected && labelOf(control) === label) control.click();
      },
    });
  }
  return [...found.values()];
}

function labelOf(control: HTMLElement): string {
  return (control.getAttribute("aria-label") ?? wordsOf(control)).trim();
}

/** What stands on a control, without the key that presses it. */
function wordsOf(control: HTMLElement): string {
  const words = control.cloneNode(true) as HTMLElement;
  for (const key of words.querySelectorAll("kbd")) key.remove();
  return words.textContent;
}

/** Copies that every page has. @param address path and query @param copy puts a text into the clipboard */
export function copyCommands(address: string, copy: (text: string) => void): PaletteCommand[] {
  const id = UUID_INSIDE.exec(address)?.[0];
  const link: PaletteCommand = {
    id: "copy link",
    group: "On this page",
    label: "Copy link to this page",
    words: "url address share",
    run: () => {
      copy(window.location.href);
    },
  };
  if (id === undefined) return [link];
  const own: PaletteCommand = {
    id: "copy id",
    group: "On this page",
    label: "Copy id",
    note: id.slice(-8),
    run: () => {
      copy(id);
    },
  };
  return [link, own];
}
