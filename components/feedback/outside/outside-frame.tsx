import type { ReactNode } from "react";
import { Brand } from "@/components/shell/brand";
import styles from "./outside-frame.module.css";

/** A page that belongs to no place of the console: our name leads back, nothing is known of a tenant. */
export function OutsideFrame({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <header className={styles["head"]}>
        <Brand />
      </header>
      <main className={styles["page"]} id="main">
        {children}
      </main>
    </>
  );
}
