import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { DialogLink } from "@/components/ui/place-link";
import { Section } from "@/components/ui/section";
import { sessionsClauses } from "@/presentation/access/people-claims";
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
        lede="A session lasts at most 8 hours and ends after about 30 minutes without a request; a page that is in view and live sends some. An ended session is refused from its next request on. If you do not know one, end it and change your password: by a link that an admin gives you, or at your issuer."
        aside={
          others.length > 0 ? (
            <DialogLink dialog="end-others">End all others</DialogLink>
          ) : (
            <span className="small quiet">There is no other session to end.</span>
          )
        }
        clauses={sessionsClauses(sessions.length)}
      />
      <DoneLine />
      <Section title="Your sessions" note={plural(sessions.length, "session")} space="small">
        <SessionTable label="Your sessions" at={at} rows={sessions} />
      </Section>
      <SessionDialogs others={others} />
    </DoneKeeper>
  );
}
