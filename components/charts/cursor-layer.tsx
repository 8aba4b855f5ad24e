"use client";

import { useState, type DOMAttributes, type KeyboardEvent, type PointerEvent } from "react";
import styles from "./cursor.module.css";

export interface CursorLayerProps {
  readonly size: number;
  readonly active: number | undefined;
  readonly onActive: (index: number | undefined) => void;
  /** What is read: "Conflicts". */
  readonly label: string;
  /** The bucket in words: "14:05, 12". */
  readonly say: (index: number) => string;
  /** Click or Enter on a bucket. @param at where the pointer was, px above the base; a key is nowhere */
  readonly onOpen?: ((index: number, at?: number) => void) | undefined;
  readonly opens?: string | undefined;
  /** Drag, or Shift with the arrows and Enter: the first and the last bucket. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined;
}

interface Picked {
  readonly from: number;
  readonly to: number;
}

const PAGE = 10;

/** Over a plot: the pointer or the arrow keys read one bucket, Enter opens its list, a dragged stretch is zoomed into. */
export function CursorLayer(props: CursorLayerProps) {
  const { size, active, label, say, onOpen, opens } = props;
  const { picked, pointer, keys } = useCursor(props);
  const last = Math.max(0, size - 1);
  return (
    <div
      className={styles["layer"]}
      data-opens={onOpen !== undefined || undefined}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={active ?? last}
      aria-valuetext={say(active ?? last)}
      aria-description={opens === undefined ? undefined : `Enter opens ${opens}`}
      {...keys}
      {...pointer}
    >
      {picked !== undefined && picked.from !== picked.to && (
        <i
          className={styles["picked"]}
          style={{
            left: `${String((Math.min(picked.from, picked.to) / size) * 100)}%`,
            width: `${String(((Math.abs(picked.to - picked.from) + 1) / size) * 100)}%`,
          }}
        />
      )}
      {active !== undefined && (
        <i className={styles["at"]} style={{ left: `${String(((active + 0.5) / size) * 100)}%` }} />
      )}
    </div>
  );
}

interface Cursor {
  readonly picked: Picked | undefined;
  readonly pointer: DOMAttributes<HTMLDivElement>;
  readonly keys: DOMAttributes<HTMLDivElement>;
}

function useCursor({ size, active, onActive, onOpen, onZoom }: CursorLayerProps): Cursor {
  const [picked, setPicked] = useState<Picked>();
  const [pressed, setPressed] = useState(false);
  const clamp = (index: number): number => Math.min(size - 1, Math.max(0, index));
  const indexOf = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return clamp(Math.floor(((event.clientX - left) / Math.max(1, width)) * size));
  };
  const drop = (): void => {
    setPressed(false);
    setPicked(undefined);
  };
  const finish = (at: number, high?: number): void => {
    drop();
    if (picked === undefined || picked.from === picked.to) onOpen?.(at, high);
    else onZoom?.(Math.min(picked.from, picked.to), Math.max(picked.from, picked.to));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = active ?? size - 1;
    const moves = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - PAGE,
      PageDown: at + PAGE,
      Home: 0,
      End: size - 1,
    };
    if (event.key in moves) {
      const next = clamp(moves[event.key as keyof typeof moves]);
      onActive(next);
      setPicked(event.shiftKey && onZoom !== undefined ? { from: picked?.from ?? at, to: next } : undefined);
    } else if (event.key === "Enter") finish(at);
    else if (event.key === "Escape" && picked !== undefined) drop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const keys: Cursor["keys"] = {
    onKeyDown,
    onFocus: () => {
      if (active === undefined) onActive(size - 1);
    },
    onBlur: () => {
      onActive(undefined);
      drop();
    },
  };
  const pointer: Cursor["pointer"] = {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      const at = indexOf(event);
      event.currentTarget.setPointerCapture(event.pointerId);
      setPressed(true);
      setPicked(onZoom === undefined ? undefined : { from: at, to: at });
    },
    onPointerMove: (event) => {
      const at = indexOf(event);
      onActive(at);
      if (pressed && picked !== undefined) setPicked({ from: picked.from, to: at });
    },
    onPointerUp: (event) => {
      if (pressed) finish(indexOf(event), event.currentTarget.getBoundingClientRect().bottom - event.clientY);
    },
    onPointerCancel: drop,
    onPointerLeave: () => {
      if (!pressed) onActive(undefined);
    },
  };
  return { picked, pointer, keys };
}
