import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { DialogLink } from "@/components/ui/place-link";
import { Section } from "@/components/ui/section";
import { plural } from "@/presentation/format/words";
import type { SessionsView as View } from "@/presentation/views/access";
import { SessionDialogs } from "./session-dialogs";
import { SessionTable } from "./session-table";
import { SettingsHead } from "./settings-head";

export function SessionsView({ view: { sessions, at } }: { readonly view: View }) {
  const others = sessions.filter(({ own }) => !own);
  return (
    <DoneKeeper>
      <SettingsHead
        here="/settings/sessions"
        lede="A session lasts 8 hours and ends after 30 minutes without use. Ended sessions stop at once. If you do not know one, end it and change your password: an admin gives you a link."
        aside={
          others.length > 0 ? (
            <DialogLink dialog="end-others">End all others</DialogLink>
          ) : (
            <span className="small quiet">There is no other session to end.</span>
          )
        }
        clauses={[
          {
            text: `You are signed in ${sessions.length === 1 ? "here only" : `at ${plural(sessions.length, "place")}`}.`,
          },
        ]}
      />
      <DoneLine />
      <Section title="Your sessions" note={plural(sessions.length, "session")} space="small">
        <SessionTable label="Your sessions" at={at} rows={sessions} />
      </Section>
      <SessionDialogs others={others} />
    </DoneKeeper>
  );
}
