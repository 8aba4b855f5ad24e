import { Brand } from "@/components/shell/brand";
import { Verdict } from "@/components/ui/verdict";
import { SignInElsewhere } from "./sign-in-elsewhere";
import { SignInForm } from "./sign-in-form";
import styles from "./sign-in-view.module.css";

export interface SignInViewProps {
  /** Where to go after it; a path of this site. */
  readonly next: string;
  /** Name of the OIDC issuer, where one is configured. */
  readonly elsewhere?: string | undefined;
  readonly refused?: boolean | undefined;
}

/** One sentence and one form. */
export function SignInView({ next, elsewhere, refused = false }: SignInViewProps) {
  return (
    <main className={styles["page"]} id="main">
      <div className={styles["column"]}>
        <div className={styles["brand"]}>
          <Brand />
        </div>
        <Verdict clauses={[{ text: "Sign in to see what every retry did." }]} as="h1" />
        <div className={styles["form"]}>
          <SignInForm next={next} />
          {elsewhere !== undefined && <SignInElsewhere name={elsewhere} next={next} refused={refused} />}
          <noscript>
            <p className={styles["note"]}>Signing in needs JavaScript in this browser.</p>
          </noscript>
        </div>
        <p className={styles["note"]}>
          A session lasts 8 hours and ends after 30 minutes without use. An admin invites people and gives them a link
          to choose a password.
        </p>
      </div>
    </main>
  );
}
