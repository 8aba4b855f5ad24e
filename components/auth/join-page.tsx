"use client";

import { useEffect, useState } from "react";
import { ButtonLink } from "@/components/ui/button";
import { AuthPage } from "./auth-page";
import { JoinForm } from "./join-form";
import { askAboutLink, type LinkState } from "./send-sign-in";

/** The page of a link that lets somebody choose a password. A link that opens nothing any more shows no form. */
export function JoinPage() {
  const state = useLinkState();
  if (state === "over") {
    return (
      <AuthPage
        title="This link is not valid any more."
        note="It was used, replaced by a newer one, is older than three days, was not copied whole, or its person was disabled. Ask an admin for another."
      >
        <ButtonLink wide href="/sign-in">
          Sign in
        </ButtonLink>
      </AuthPage>
    );
  }
  if (state === undefined) {
    return (
      <AuthPage title="Checking your link." note="This takes a moment.">
        <p role="status">Checking the link…</p>
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title="Choose your password."
      note="This link opens once. You sign in with the password that you choose here."
    >
      <JoinForm />
    </AuthPage>
  );
}

/** Of the link in the address, also of another one that is pasted into it. @returns undefined while it is checked */
function useLinkState(): LinkState | undefined {
  const [state, setState] = useState<LinkState>();
  useEffect(() => {
    let asked = 0;
    const check = (): void => {
      const own = (asked += 1);
      setState(undefined);
      void askAboutLink(window.location.hash.slice(1)).then((answer) => {
        if (own === asked) setState(answer);
      });
    };
    check();
    window.addEventListener("hashchange", check);
    return () => {
      asked = 0;
      window.removeEventListener("hashchange", check);
    };
  }, []);
  return state;
}
