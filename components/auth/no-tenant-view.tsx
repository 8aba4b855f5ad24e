import { SignOut } from "@/components/shell/sign-out";
import { AuthPage } from "./auth-page";

export function NoTenantView({ email }: { readonly email: string }) {
  return (
    <AuthPage
      title="No tenant is open to you."
      note="Ask an admin for a role. Load the page again once you have one: nothing else is needed."
    >
      <p>
        {email} <SignOut />
      </p>
    </AuthPage>
  );
}
