// @vitest-environment happy-dom
import { sampleApproval } from "@/components/approvals/approvals.samples";
import { ApprovalDialog } from "@/components/approvals/approval-dialog";
import { AttentionDialogs } from "@/components/attention/attention-dialogs";
import { sampleClient, sampleKey } from "@/components/clients/clients.samples";
import { ClientDialogs, CreateClientDialog } from "@/components/clients/client-dialogs";
import { sampleConflict } from "@/components/conflicts/conflicts.samples";
import { MarkDialog } from "@/components/conflicts/mark-dialog";
import { sampleRetention } from "@/components/retention/retention.samples";
import { RetentionView } from "@/components/retention/retention-view";
import { PeopleDialogs } from "@/components/settings/people-dialogs";
import { SessionDialogs } from "@/components/settings/session-dialogs";
import { samplePeople, samplePerson, sampleSession } from "@/components/settings/settings.samples";
import { dialogCases as cases } from "./dialog-cases";
import { SAMPLE_ID } from "./part";

const twice = samplePerson({ sessions: [sampleSession(), sampleSession({ id: "s2", device: "Safari on iPhone" })] });
cases("a person", <PeopleDialogs view={samplePeople(twice, samplePerson({ id: "p2", lastAdmin: true }))} />, [
  { dialog: "invite", says: ["Invite 1 person?", "E-mail"] },
  { dialog: "role:p1", says: ["Change the role of 1 person?", "Ada, ada@acme.example"] },
  { dialog: "role:p2", says: ["Change 1 role"], off: "This is the last admin: make somebody else one first." },
  { dialog: "link:p1", says: ["Make 1 link"] },
  { dialog: "disable:p1", says: ["Disable 1 person?", "2 sessions end now"] },
  { dialog: "disable:p2", says: ["1 session ends now"], off: "This is the last admin: make somebody else one first." },
  { dialog: "enable:p1", says: ["as before: admin on all tenants"] },
  { dialog: "reset:p1", says: ["Reset 1 second factor"] },
  { dialog: "end-all:p1", says: ["End 2 sessions of Ada?", "They have to sign in again."] },
  {
    dialog: "end:s2",
    says: ["End 1 session of Ada?", "Ada, ada@acme.example: Safari on iPhone", "1 other session stays open."],
  },
]);

cases("own sessions", <SessionDialogs others={[sampleSession(), sampleSession({ id: "s2", address: undefined })]} />, [
  { dialog: "end-others", says: ["End 2 other sessions?", "None of 2."] },
  { dialog: "end:s1", says: ["Firefox on Linux, from 203.0.113.7"] },
  { dialog: "end:s2", says: ["Firefox on Linux", "End 1 session"] },
]);

const keys = [
  sampleKey({ lastUsedAt: "2026-11-22T14:20:00Z" }),
  sampleKey({ id: "k2", state: "revoked" }),
  sampleKey({ id: "k3", state: "ending" }),
];
cases("a client with two open keys", <ClientDialogs detail={sampleClient({ keys })} />, [
  {
    dialog: "change",
    says: ["Change 1 client?", "admin: everything the admin role may do, but no operation of a module"],
  },
  { dialog: "key", says: ["shop has 2 keys that are valid."] },
  { dialog: "rotate:k1", says: ["Last used 22 Nov 2026, 14:20 UTC.", "40 requests in the last hour"] },
  { dialog: "revoke:k1", says: ["Revoke 1 key, and refuse what it sends?"] },
  { dialog: "revoke:k2", says: ["Never used."], off: "It is no longer valid." },
]);
cases("a client with one open key", <ClientDialogs detail={sampleClient({ keys: keys.slice(0, 2) })} />, [
  { dialog: "revoke:k1", says: ["the client is locked out", "It is the last valid key."] },
]);
const mayNot = "You need the role admin.";
cases("a client, for somebody who may not", <ClientDialogs detail={sampleClient({ keys, whyNot: mayNot })} />, [
  { dialog: "change", says: ["Change 1 client"], off: mayNot },
  { dialog: "rotate:k1", says: ["Rotate 1 key?"], off: mayNot },
]);
cases("a new client", <CreateClientDialog choices={sampleClient().choices} notOffered={undefined} />, [
  { dialog: "create", says: ["Add 1 client?", "Name, as conflicts and reports show it"] },
]);

const asked = { id: SAMPLE_ID, what: "1 payment of €12.00", known: "Asked 9 times.", notNow: undefined };
const queue = (rows: Parameters<typeof AttentionDialogs>[0]["rows"], why?: string) => (
  <AttentionDialogs rows={rows} whyNotAssign={why} whyNotReconcile={why} />
);
cases("the queue", queue([{ ...asked, assignedTo: undefined }]), [
  { dialog: `reconcile:${SAMPLE_ID}`, says: ["Ask the provider about 1 payment of €12.00", "Asked 9 times."] },
  { dialog: `assign:${SAMPLE_ID}`, says: ["Assign 1 operation to you", "It is assigned to nobody."] },
]);
cases("the queue, being asked and assigned", queue([{ ...asked, notNow: "A worker is asking.", assignedTo: "Bo" }]), [
  { dialog: `reconcile:${SAMPLE_ID}`, says: ["Asked 9 times."], off: "A worker is asking." },
  { dialog: `unassign:${SAMPLE_ID}`, says: ["Unassign 1 operation?", "Assigned to Bo."] },
]);
cases("the queue without the row", queue([]), [
  { dialog: `reconcile:${SAMPLE_ID}`, says: ["1 operation"], off: "It is not on this page of the queue." },
  { dialog: `assign:${SAMPLE_ID}`, says: ["Assign 1 operation"], off: "It is not on this page of the queue." },
]);

const refused = { action: "decide_plan", label: "Decide", allowed: false, whyNot: "You asked for it." } as const;
const plans = [sampleApproval(), sampleApproval({ id: "p2", decide: refused })];
cases("an approval", <ApprovalDialog plans={plans} />, [
  { dialog: `approve:${SAMPLE_ID}`, says: ["let the worker requeue 10 rows?", "2 of 12, as the dry run says."] },
  { dialog: `reject:${SAMPLE_ID}`, says: ["Reject this plan of 12 rows?", "All 12."] },
  { dialog: "approve:p2", says: ["Approve and run 10"], off: "You asked for it." },
  { dialog: "reject:p3", says: ["Reject the plan"], off: "It waits no longer, or is not among those shown." },
]);

const mark = { mark: "ours", note: "", by: "Ada", at: "2026-11-22T12:00:00Z", newer: 0 } as const;
cases("an unmarked group of conflicts", <MarkDialog detail={sampleConflict()} />, [
  { dialog: "mark", says: ["Mark the payment conflicts of shop up to now?", "Not marked so far."] },
]);
cases("a marked group of conflicts", <MarkDialog detail={sampleConflict({ mark, markNot: "Needs operator." })} />, [
  { dialog: "mark", says: ["Now: ours, by Ada. It is replaced."], off: "Needs operator." },
]);

const address = { path: "/retention", search: {} };
cases("a purge", <RetentionView view={sampleRetention({ losingReplay: 2, skippedOpen: 3 })} address={address} />, [
  { dialog: "purge", says: ["Purge 4 bodies, and keep their metadata?", "lost for 2 keys", "3, because they are in"] },
]);
cases("a purge of one", <RetentionView view={sampleRetention({ bodyRows: 1 })} address={address} />, [
  {
    dialog: "purge",
    says: ["Purge 1 body, and keep its metadata?", "No byte-equal replay is lost.", "None."],
  },
]);
cases(
  "a purge of nobody knows how many",
  <RetentionView view={sampleRetention({ tooBroad: true })} address={address} />,
  [{ dialog: "purge", says: ["Purge every expired body, and keep the metadata?"] }],
);
