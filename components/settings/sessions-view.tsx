import Link from "next/link";
import { ActionDialog } from "@/components/feedback/action-dialog";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { ButtonLink } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Verdict } from "@/components/ui/verdict";
import { plural } from "@/domain/words";
import type { SessionsView as View } from "@/domain/views/access";
import { SessionTable } from "./session-table";
import { SettingsTabs } from "./settings-tabs";
import styles from "./access.module.css";

const HERE = "/settings/sessions";
const PATH = "/api/v1/admin/sessions/end";

/** Where somebody is signed in, and the end of what they do not know. */
export function SessionsView({ view: { sessions, at } }: { readonly view: View }) {
  const others = sessions.filter(({ own }) => !own);
  return (
    <DoneKeeper>
      <PageHead
        crumb={<Link href="/settings">Settings</Link>}
        lede="A session lasts 8 hours and ends after 30 minutes without use. One that is ended here is nobody's with its next request. If you do not know one, end it and change your password: an admin gives you a link."
        aside={
          others.length > 0 ? (
            <ButtonLink stay href={`${HERE}?dialog=end-others`}>
              End all others
            </ButtonLink>
          ) : (
            <span className={styles["quiet"]}>There is no other session to end.</span>
          )
        }
      >
        <Verdict
          clauses={[
            {
              text: `You are signed in ${sessions.length === 1 ? "here only" : `in ${plural(sessions.length, "place")}`}.`,
            },
          ]}
        />
      </PageHead>
      <SettingsTabs here={HERE} />
      <DoneLine />
      <Section title="Your sessions" note={plural(sessions.length, "session")} space="small">
        <SessionTable label="Your sessions" at={at} rows={sessions} endHref={({ id }) => `${HERE}?dialog=end:${id}`} />
      </Section>
      <ActionDialog
        name="end-others"
        title={`End ${plural(others.length, "other session")}?`}
        effect="Each of them has to sign in again."
        notDone="The session that you are using stays."
        verb={`End ${plural(others.length, "session")}`}
        path={PATH}
        reason="none"
      />
      {others.map(({ id, device, address }) => (
        <ActionDialog
          key={id}
          name={`end:${id}`}
          title="End 1 session?"
          effect="Whoever uses it has to sign in again."
          evidence={address === undefined ? device : `${device}, from ${address}`}
          notDone="Your password stays as it is."
          verb="End 1 session"
          path={PATH}
          body={{ session: id }}
          reason="none"
        />
      ))}
    </DoneKeeper>
  );
}
