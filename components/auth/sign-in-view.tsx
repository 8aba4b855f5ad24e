import { AuthPage } from "./auth-page";
import { SignInElsewhere } from "./sign-in-elsewhere";
import { SignInForm } from "./sign-in-form";
import styles from "./auth-page.module.css";

export interface SignInViewProps {
  /** Where to go after it; a path of this site. */
  readonly next: string;
  /** Name of the OIDC issuer, where one is configured. */
  readonly elsewhere: string | undefined;
  /** Somebody came back from there without a session. */
  readonly refused: boolean;
}

export function SignInView({ next, elsewhere, refused }: SignInViewProps) {
  return (
    <AuthPage
      title="Sign in to see what every retry did."
      note="A session lasts at most 8 hours and ends after about 30 minutes without a request. An admin invites people and gives them a link to choose a password."
    >
      <SignInForm next={next} />
      {elsewhere !== undefined && <SignInElsewhere name={elsewhere} next={next} refused={refused} />}
      <noscript>
        <p className={styles["note"]}>Signing in needs JavaScript in this browser.</p>
      </noscript>
    </AuthPage>
  );
}
