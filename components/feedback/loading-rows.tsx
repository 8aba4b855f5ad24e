"use client";

import { useEffect, useState } from "react";
import styles from "./notice.module.css";

const SLOW_MS = 2000;
const WIDTHS = ["62%", "88%", "74%", "80%", "68%"];

/** Grey bars in the rows' places, no spinner; after 2 s it says so. */
export function LoadingRows({ rows = 12 }: { readonly rows?: number | undefined }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSlow(true);
    }, SLOW_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const bars = Array.from({ length: rows }, (_, index) => WIDTHS[index % WIDTHS.length]);
  return (
    <div className={styles["loading"]} aria-busy="true" role="status">
      {bars.map((width, index) => (
        <div key={`${String(index)}-${width ?? ""}`} className={styles["bar"]}>
          <i style={{ width }} />
        </div>
      ))}
      <p className={styles["slow"]}>{slow ? "Still loading after 2 s." : ""}</p>
    </div>
  );
}
