"use client";

import { useEffect, useRef } from "react";
import { JUMPS } from "./jumps";
import { NAVIGATION } from "../navigation";
import styles from "./palette.module.css";

const LISTS: readonly (readonly [string, string])[] = [
  ["j  k", "next and previous row"],
  ["Enter", "open the row"],
  ["x", "select the row; X all from the last one"],
  ["c", "copy the id of the row"],
  ["f", "filter"],
];
const EVERYWHERE: readonly (readonly [string, string])[] = [
  ["/", "find a key, id, reference or amount"],
  ["Ctrl K", "commands; ⌘ K on a Mac"],
  ["?", "this list"],
  ["Esc", "close a dialog"],
];

export function KeysSheet({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
  }, []);
  const labels = new Map(NAVIGATION.flatMap(({ items }) => items.map(({ href, label }) => [href, label] as const)));
  const jumps = Object.entries(JUMPS).map(([key, href]) => [`g ${key}`, labels.get(href) ?? href] as const);
  return (
    <dialog ref={dialog} className={styles["sheet"]} aria-labelledby="keys-title" onClose={close}>
      <div className={styles["sheetHead"]}>
        <h2 id="keys-title">Keys</h2>
        <button
          type="button"
          className={styles["leave"]}
          onClick={() => {
            dialog.current?.close();
          }}
        >
          Close
        </button>
      </div>
      <div className={styles["columns"]}>
        <Keys title="Everywhere" keys={EVERYWHERE} />
        <Keys title="In lists" keys={LISTS} />
        <Keys title="Go to" keys={jumps} />
      </div>
    </dialog>
  );
}

function Keys({ title, keys }: { readonly title: string; readonly keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {keys.map(([key, means]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
