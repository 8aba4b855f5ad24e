"use client";

import { useEffect, useState, type ReactNode } from "react";
import { LoadingRows } from "@/components/feedback/loading-rows";
import { useNavigationPending } from "@/components/navigation/navigation-pending";
import styles from "./shell.module.css";

/**
 * A page that is there within this time takes the place of the one before at once. A fallback that React showed would stay for 300 ms,
 * however soon the page came.
 */
const SHOWN_AFTER_MS = 300;

/** The page, and bars in its place while another one that was asked for does not come. */
export function PendingPage({ children }: { readonly children: ReactNode }) {
  const pending = useNavigationPending() !== undefined;
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => {
      setLate(true);
    }, SHOWN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [pending]);
  const away = pending && late;
  return (
    <>
      {away && <LoadingRows rows={16} />}
      <div className={away ? styles["away"] : styles["page"]}>{children}</div>
    </>
  );
}
