import type { Part } from "@/components/parts/part";
import { JoinForm } from "./join-form";
import { JoinPage } from "./join-page";
import { NoTenantView } from "./no-tenant-view";
import { SignInView } from "./sign-in-view";

/** `next` stays on this page: whoever is signed in is led there at once. */
export const authParts: readonly Part[] = [
  {
    name: "SignInView",
    states: [
      {
        name: "with a password",
        shows: <SignInView next="#auth" elsewhere={undefined} refused={false} />,
        says: ["Sign in to see what every retry did.", "E-mail", "Password"],
        lacks: ["Sign in with"],
        has: ['button[type="submit"]', 'input[name="email"][aria-invalid="false"]'],
        hasNot: ['input[name="code"]'],
      },
      {
        name: "with an issuer",
        shows: <SignInView next="#auth" elsewhere="Acme ID" refused={false} />,
        says: ["Sign in with Acme ID"],
        lacks: ["did not sign you in"],
      },
      {
        name: "refused by the issuer",
        shows: <SignInView next="#auth" elsewhere="Acme ID" refused />,
        says: ["Acme ID did not sign you in here."],
      },
    ],
  },
  {
    name: "JoinPage",
    states: [
      {
        name: "checks its link first",
        shows: <JoinPage />,
        says: ["Checking your link."],
        hasNot: ["form"],
      },
    ],
  },
  {
    name: "NoTenantView",
    states: [
      {
        name: "says who is signed in and what to do",
        shows: <NoTenantView email="ada@acme.example" />,
        says: ["No tenant is open to you.", "ada@acme.example", "Ask an admin for a role.", "Sign out"],
        has: ["button"],
      },
    ],
  },
  {
    name: "JoinForm",
    states: [
      {
        name: "asks for a password",
        shows: <JoinForm />,
        says: ["New password", "Set the password"],
        lacks: ["is set."],
        has: ['input[autocomplete="new-password"][aria-invalid="false"]'],
      },
    ],
  },
];
