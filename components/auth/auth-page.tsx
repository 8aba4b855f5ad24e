import type { ReactNode } from "react";
import { Brand } from "@/components/shell/brand";
import { Verdict } from "@/components/ui/verdict";
import styles from "./auth-page.module.css";

export interface AuthPageProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly note: string;
}

export function AuthPage({ title, children, note }: AuthPageProps) {
  return (
    <main className={styles["page"]} id="main">
      <div className={styles["column"]}>
        <div className={styles["brand"]}>
          <Brand />
        </div>
        <Verdict clauses={[{ text: title }]} />
        <div className={styles["form"]}>{children}</div>
        <p className={styles["note"]}>{note}</p>
      </div>
    </main>
  );
}
