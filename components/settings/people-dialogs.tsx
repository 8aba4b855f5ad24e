"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { SecretOnce } from "@/components/ui/secret-once";
import { ROLE_NOTES } from "@/presentation/policy/role-words";
import { plural } from "@/presentation/format/words";
import type { PeopleView, PersonRow } from "@/presentation/views/access";
import type { Role } from "@/domain/idempotency/states";
import { useAsOpened, useDialog } from "@/components/feedback/use-dialog";

const PATH = "/api/v1/admin/people";

/** The dialog that the address asks for. */
export function PeopleDialogs({ view }: { readonly view: PeopleView }) {
  const { name: dialog } = useDialog();
  const [what = "", id] = dialog.split(":", 2);
  const found = view.people.find((one) => one.id === id || one.sessions.some((session) => session.id === id));
  const one = useAsOpened(dialog, found);
  if (what === "invite") return <InviteDialog roles={view.roles} />;
  if (one === undefined || id === undefined) return null;
  switch (what) {
    case "role":
      return <RoleDialog one={one} roles={view.roles} />;
    case "link":
      return <LinkDialog one={one} />;
    case "disable":
      return <DisableDialog one={one} />;
    case "enable":
      return <EnableDialog one={one} />;
    case "reset":
      return <ResetDialog one={one} />;
    case "end":
    case "end-all":
      return <EndDialog one={one} session={what === "end" ? id : undefined} />;
    default:
      return null;
  }
}

interface OneProps {
  readonly one: PersonRow;
}

const named = ({ name, email }: PersonRow): string => `${name}, ${email}`;

function roleField(roles: readonly Role[], initial: Role | undefined): ActionField {
  return {
    name: "role",
    label: "Role",
    kind: "radio",
    required: true,
    initial,
    options: roles.map((role) => ({ value: role, label: role, note: ROLE_NOTES[role] })),
  };
}

function shownLink(answer: Readonly<Record<string, unknown>>) {
  const { link } = answer;
  if (typeof link !== "string") return null;
  return (
    <SecretOnce secret={link} copy="Copy the link">
      It is shown this once and opens once, within 72 hours. Give it to them by a way that only they read.
    </SecretOnce>
  );
}

function InviteDialog({ roles }: { readonly roles: readonly Role[] }) {
  return (
    <ActionDialog
      name="invite"
      title="Invite 1 person?"
      effect="They become an operator, and you get a link by which they choose a password."
      notDone="Nothing is mailed: you give them the link."
      verb="Invite 1 person"
      path={PATH}
      fields={[
        { name: "email", label: "E-mail", kind: "text", required: true, maxLength: 254 },
        { name: "name", label: "Name", kind: "text", required: true, maxLength: 100 },
        roleField(roles, "viewer"),
      ]}
      shown={shownLink}
    />
  );
}

function RoleDialog({ one, roles }: OneProps & { readonly roles: readonly Role[] }) {
  return (
    <ActionDialog
      name={`role:${one.id}`}
      title="Change the role of 1 person?"
      effect="From their next request on they may do what the new role may, and nothing else."
      evidence={named(one)}
      notDone="They stay signed in."
      verb="Change 1 role"
      path={`${PATH}/${one.id}/role`}
      fields={[roleField(roles, one.role)]}
      notOffered={one.lastAdmin ? "This is the last admin: make somebody else one first." : undefined}
    />
  );
}

function LinkDialog({ one }: OneProps) {
  return (
    <ActionDialog
      name={`link:${one.id}`}
      title="Make a new link for 1 person?"
      effect="By the link they choose a new password; an older link stops working, and using it ends their sessions."
      evidence={named(one)}
      notDone="Their password stays until they use it. A second factor stays on."
      verb="Make 1 link"
      path={`${PATH}/${one.id}/link`}
      shown={shownLink}
    />
  );
}

function DisableDialog({ one }: OneProps) {
  return (
    <ActionDialog
      name={`disable:${one.id}`}
      title="Shut 1 person out?"
      effect={`${plural(one.sessions.length, "session")} end now; no sign-in and no link opens any more.`}
      evidence={named(one)}
      notDone="What they did stays in the audit under their name."
      verb="Shut 1 person out"
      path={`${PATH}/${one.id}/disable`}
      notOffered={one.lastAdmin ? "This is the last admin: make somebody else one first." : undefined}
    />
  );
}

function EnableDialog({ one }: OneProps) {
  return (
    <ActionDialog
      name={`enable:${one.id}`}
      title="Let 1 person in again?"
      effect={`They sign in as before, with the role ${one.role}.`}
      evidence={named(one)}
      notDone="No session is opened for them."
      verb="Let 1 person in"
      path={`${PATH}/${one.id}/enable`}
    />
  );
}

function ResetDialog({ one }: OneProps) {
  return (
    <ActionDialog
      name={`reset:${one.id}`}
      title="Take the second factor of 1 person off?"
      effect="Their password alone signs them in until they set up another; their sessions end."
      evidence={named(one)}
      notDone="Their password stays."
      verb="Take 1 second factor off"
      path={`${PATH}/${one.id}/reset-two-factor`}
    />
  );
}

function EndDialog({ one, session }: OneProps & { readonly session: string | undefined }) {
  const count = session === undefined ? one.sessions.length : 1;
  const what = one.sessions.find(({ id }) => id === session);
  return (
    <ActionDialog
      name={session === undefined ? `end-all:${one.id}` : `end:${session}`}
      title={`End ${plural(count, "session")} of ${one.name}?`}
      effect="They have to sign in again."
      evidence={what === undefined ? named(one) : `${named(one)}: ${what.device}`}
      notDone="Their password and role stay."
      verb={`End ${plural(count, "session")}`}
      path={`${PATH}/${one.id}/end-sessions`}
      body={session === undefined ? {} : { session }}
    />
  );
}
