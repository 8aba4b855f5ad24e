import { Brand } from "@/components/shell/brand";
import { Verdict } from "@/components/ui/verdict";
import { JoinForm } from "./join-form";
import styles from "./sign-in-view.module.css";

/** Where the link of an admin leads: one field. */
export function JoinView() {
  return (
    <main className={styles["page"]} id="main">
      <div className={styles["column"]}>
        <div className={styles["brand"]}>
          <Brand />
        </div>
        <Verdict clauses={[{ text: "Choose your password." }]} as="h1" />
        <div className={styles["form"]}>
          <JoinForm />
        </div>
        <p className={styles["note"]}>
          This link opens once. With a password from here you sign in; nobody else sees it.
        </p>
      </div>
    </main>
  );
}
