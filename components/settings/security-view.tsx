import { Section } from "@/components/ui/section";
import { SettingsHead } from "./settings-head";
import { TwoFactorOff, TwoFactorSetUp } from "./two-factor";

export interface SecurityViewProps {
  readonly twoFactor: boolean;
  /** Signs in by a password of ours; without one there is nothing to add a code to. */
  readonly hasPassword: boolean;
}

export function SecurityView({ twoFactor, hasPassword }: SecurityViewProps) {
  return (
    <>
      <SettingsHead
        here="/settings/security"
        lede="With a second factor a stolen password alone signs nobody in: a code is asked for too, which your authenticator shows. If you lose the authenticator, use a backup code or ask an admin."
        clauses={[
          twoFactor
            ? { text: "Signing in with your password needs a code." }
            : hasPassword
              ? { text: "Your password alone signs in.", tone: "doubt" }
              : { text: "You sign in elsewhere." },
        ]}
      />
      <Section title="Second factor" note={twoFactor ? "on" : "off"} space="small">
        {twoFactor ? (
          <TwoFactorOff />
        ) : hasPassword ? (
          <TwoFactorSetUp />
        ) : (
          <p>Your issuer asks for it, or not: there is no password here to add a code to.</p>
        )}
      </Section>
    </>
  );
}
