"use client";

import { useEffect, useState } from "react";

const NOTICE_MS = 1500;

/** Copies a text and says so for a moment; where the browser does not let it, it does not say so. */
export function useCopy(): { readonly copied: boolean; readonly copy: (text: string) => void } {
  const [copiedAt, setCopiedAt] = useState<number>();
  useEffect(() => {
    if (copiedAt === undefined) return;
    const timer = setTimeout(() => {
      setCopiedAt(undefined);
    }, NOTICE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [copiedAt]);
  const copy = (text: string): void => {
    void write(text).then((done) => {
      if (done) setCopiedAt(Date.now());
    });
  };
  return { copied: copiedAt !== undefined, copy };
}

/** Pages that are not served over TLS have no clipboard. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
