import { Link } from "@/components/ui/link";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { RowsTable } from "@/components/table/rows-table";
import { DialogLink } from "@/components/ui/place-link";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { CONFIRM_MINUTES } from "@/domain/access/permission";
import { grantLines } from "@/presentation/access/grant-words";
import { peopleClauses } from "@/presentation/access/people-claims";
import { plural } from "@/presentation/format/words";
import type { PeopleView as View, PersonRow } from "@/presentation/views/access";
import { PeopleDialogs } from "./people-dialogs";
import { SessionTable } from "./session-table";
import { SettingsHead } from "./settings-head";
import styles from "./access.module.css";

export function PeopleView({ view }: { readonly view: View }) {
  const { people, at } = view;
  const sessions = people.flatMap((one) => one.sessions.map((row) => ({ ...row, person: one.name })));
  return (
    <DoneKeeper>
      <SettingsHead
        here="/settings/people"
        lede={
          <>
            People have a role on all tenants, in single ones, or both; in a single one its own role counts. Each change
            acts on their next request, is kept in the <Link href="/audit?chain=access">access log</Link>, and asks you
            to confirm your identity unless you did within {CONFIRM_MINUTES} minutes.
          </>
        }
        aside={
          <DialogLink primary dialog="invite">
            Invite somebody
          </DialogLink>
        }
        clauses={peopleClauses(people)}
      />
      <DoneLine />
      <Section title="People" note={plural(people.length, "operator")} space="small">
        <People people={people} at={at} />
      </Section>
      <Section title="Sessions" note={`${String(sessions.length)} open`}>
        <SessionTable
          people
          label="All sessions"
          at={at}
          rows={sessions.toSorted((a, b) => b.seenAt.localeCompare(a.seenAt))}
        />
      </Section>
      <PeopleDialogs view={view} />
    </DoneKeeper>
  );
}

function People({ people, at }: { readonly people: readonly PersonRow[]; readonly at: string }) {
  return (
    <RowsTable
      label="People"
      rows={people}
      columns={{
        Person: { wrap: true, cell: (one) => <Person one={one} at={at} /> },
        Role: { wrap: true, cell: (one) => <Roles one={one} /> },
        "Signs in by": { phone: "full", wrap: true, cell: (one) => <Factor one={one} at={at} /> },
        "Last seen": { align: "right", phone: "hidden", cell: (one) => <Seen one={one} at={at} /> },
        Actions: { align: "right", phone: "full", wrap: true, cell: (one) => <Acts one={one} /> },
      }}
    />
  );
}

function Person({ one, at }: { readonly one: PersonRow; readonly at: string }) {
  return (
    <div className={styles["person"]}>
      <span>
        <b>{one.name}</b>
        {one.self && <span className={styles["own"]}>you</span>}
      </span>
      <small>{one.email}</small>
      {one.disabledAt !== undefined && (
        <small>
          Disabled <Time at={one.disabledAt} now={at} form="ago" />
        </small>
      )}
    </div>
  );
}

function Roles({ one }: { readonly one: PersonRow }) {
  const lines = grantLines(one);
  if (lines.length === 0) return <span className="small quiet">none: no tenant is shown to them</span>;
  return lines.map((line) => <div key={line}>{line}</div>);
}

function Factor({ one, at }: { readonly one: PersonRow; readonly at: string }) {
  if (one.signsInBy.length === 0) {
    return (
      <span className="small quiet">
        {one.invitedUntil === undefined ? (
          "nothing yet, and no link is open"
        ) : (
          <>
            link open until <Time at={one.invitedUntil} now={at} form="day" />
          </>
        )}
      </span>
    );
  }
  const ways = one.signsInBy.map((way) => (way === "oidc" ? "OIDC" : one.twoFactor ? "password and code" : "password"));
  return <>{ways.join(" or ")}</>;
}

function Seen({ one, at }: { readonly one: PersonRow; readonly at: string }) {
  const [last] = one.sessions;
  if (last === undefined) return <span className="small quiet">no session</span>;
  return (
    <>
      <Time at={last.seenAt} now={at} form="ago" />
      {one.sessions.length > 1 && <span className="small quiet">{` in ${String(one.sessions.length)}`}</span>}
    </>
  );
}

function Acts({ one }: { readonly one: PersonRow }) {
  if (one.self) return <span className="small quiet">Someone else must change your access.</span>;
  const link = (what: string, label: string) => (
    <DialogLink small dialog={`${what}:${one.id}`}>
      {label}
    </DialogLink>
  );
  return (
    <div className={styles["acts"]}>
      {one.disabledAt !== undefined ? (
        link("enable", "Enable")
      ) : (
        <>
          {link("role", "Role")}
          {link("link", "New link")}
          {one.twoFactor && link("reset", "Reset second factor")}
          {one.sessions.length > 0 && link("end-all", "End sessions")}
          {link("disable", "Disable")}
        </>
      )}
    </div>
  );
}
