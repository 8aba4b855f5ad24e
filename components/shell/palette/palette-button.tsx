"use client";

import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { useRouter } from "@/components/navigation/router";
import { useCallback, useEffect, useState } from "react";
import { isTyping } from "@/components/ui/use-keys";
import { JUMPS } from "./jumps";
import { rememberPlace } from "./recent-places";
import styles from "../top-bar.module.css";

// Neither is needed before somebody asks for it.
const Palette = dynamic(() => import("./palette").then((part) => part.Palette), { ssr: false });
const KeysSheet = dynamic(() => import("./keys-sheet").then((part) => part.KeysSheet), { ssr: false });

/** A second key after `g` counts for so long. */
const JUMP_MS = 1_500;
/** A page names itself a moment after the address has changed. */
const TITLE_MS = 800;
const SITE = / · Onceboard$/;

/** Opens the palette: a button for fingers, Ctrl or ⌘ with K, `?` for the keys, `g` and a letter to go somewhere. */
export function PaletteButton() {
  const [shown, setShown] = useState<"palette" | "keys">();
  const showKeys = useCallback(() => {
    setShown("keys");
  }, []);
  const close = useCallback(() => {
    // The keys may have been asked for by the palette that closes.
    setShown((was) => (was === "palette" ? undefined : was));
  }, []);
  useHotKeys(setShown);
  useRecent();
  return (
    <>
      <button
        type="button"
        className={styles["item"]}
        aria-haspopup="dialog"
        title="Commands, Ctrl K"
        onClick={() => {
          setShown("palette");
        }}
      >
        <b>Commands</b>
      </button>
      {shown === "palette" && <Palette close={close} showKeys={showKeys} />}
      {shown === "keys" && (
        <KeysSheet
          close={() => {
            setShown(undefined);
          }}
        />
      )}
    </>
  );
}

function useHotKeys(show: (what: "palette" | "keys") => void): void {
  const router = useRouter();
  useEffect(() => {
    let jumping = 0;
    const onKey = (event: KeyboardEvent): void => {
      const open = document.querySelector("dialog[open]") !== null;
      if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!open) show("palette");
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || open || isTyping(event.target)) return;
      const href = Date.now() - jumping < JUMP_MS ? JUMPS[event.key] : undefined;
      jumping = event.key === "g" ? Date.now() : 0;
      if (href !== undefined) router.push(href);
      else if (event.key === "?") show("keys");
      else return;
      // Of the keys of lists, some are second keys of a jump.
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => {
      document.removeEventListener("keydown", onKey, { capture: true });
    };
  }, [show, router]);
}

function useRecent(): void {
  const path = usePathname();
  useEffect(() => {
    const timer = setTimeout(() => {
      const title = document.title.replace(SITE, "");
      if (path !== "/find" && title !== "") rememberPlace({ href: path, title });
    }, TITLE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [path]);
}
