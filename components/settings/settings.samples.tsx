import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { PeopleView as People, PersonRow, SessionRow } from "@/presentation/views/access";
import type { SettingsView as Settings } from "@/presentation/views/settings";
import { PeopleView } from "./people-view";
import { PermissionsView } from "./permissions-view";
import { SecurityView } from "./security-view";
import { SessionsView } from "./sessions-view";
import { SettingsView } from "./settings-view";

const read = {
  action: "operations.read",
  label: "Read operations",
  roles: ["viewer", "auditor"],
  allowed: true,
  confirmed: false,
} as const;
const settle = {
  action: "operations.resolve",
  label: "Settle",
  roles: ["admin"],
  allowed: false,
  confirmed: true,
} as const;

export function sampleSession(changes: Partial<SessionRow> = {}): SessionRow {
  return {
    id: "s1",
    device: "Firefox on Linux",
    address: "203.0.113.7",
    since: "2026-11-22T09:00:00Z",
    seenAt: "2026-11-22T14:28:00Z",
    until: "2026-11-22T17:00:00Z",
    own: false,
    ...changes,
  };
}

export function samplePerson(changes: Partial<PersonRow> = {}): PersonRow {
  return {
    id: "p1",
    name: "Ada",
    email: "ada@acme.example",
    role: "admin",
    tenants: [],
    twoFactor: true,
    signsInBy: ["password"],
    invitedUntil: undefined,
    disabledAt: undefined,
    createdAt: "2026-01-05T09:00:00Z",
    sessions: [sampleSession()],
    self: false,
    lastAdmin: false,
    ...changes,
  };
}

export const samplePeople = (...people: readonly PersonRow[]): People => ({
  at: SAMPLE_NOW,
  people,
  roles: ["viewer", "admin"],
  tenants: ["acme", "globex"],
});
const people = (...rows: readonly PersonRow[]) => inLive(<PeopleView view={samplePeople(...rows)} />);
const sessions = (...rows: readonly SessionRow[]) => inLive(<SessionsView view={{ at: SAMPLE_NOW, sessions: rows }} />);
const settings = (changes: Partial<Settings> = {}) => (
  <SettingsView
    settings={{
      at: SAMPLE_NOW,
      tenant: { id: "acme", name: "Acme", homeRegion: "eu" },
      clients: [],
      operators: [],
      eventSources: [],
      windows: [{ label: "Keys", value: "24 h" }],
      guard: { active: true, note: "Writes go through functions." },
      permissions: [],
      ...changes,
    }}
  />
);

export const settingsParts: readonly Part[] = [
  {
    name: "PermissionsView",
    states: [
      {
        name: "of an auditor",
        shows: <PermissionsView view={{ role: "auditor", roles: ["viewer", "auditor"], actions: [read, settle] }} />,
        says: [
          "You are an auditor.",
          "You may do 1 of 2 actions here.",
          "viewer may",
          "auditor may not",
          "operations.resolve, asks again",
        ],
        lacks: ["operations.read, asks again"],
        has: ['th[data-own="true"]'],
      },
      {
        name: "of a viewer",
        shows: <PermissionsView view={{ role: "viewer", roles: ["viewer"], actions: [read] }} />,
        says: ["You are a viewer."],
      },
    ],
  },
  {
    name: "SecurityView",
    states: [
      {
        name: "a password alone",
        shows: inLive(<SecurityView twoFactor={false} hasPassword />),
        says: ["Your password alone signs in.", "Set up a second factor"],
        lacks: ["Turn the second factor off"],
        has: ['input[type="password"]'],
      },
      {
        name: "with a second factor",
        shows: inLive(<SecurityView twoFactor hasPassword />),
        says: ["Signing in with your password needs a code.", "Turn the second factor off"],
        has: ['input[autocomplete="one-time-code"]'],
      },
      {
        name: "signs in elsewhere",
        shows: inLive(<SecurityView twoFactor={false} hasPassword={false} />),
        says: ["You sign in elsewhere.", "there is no password here"],
        hasNot: ["form"],
      },
    ],
  },
  {
    name: "SessionsView",
    states: [
      {
        name: "here only",
        shows: sessions(sampleSession({ own: true, address: undefined })),
        says: ["You are signed in here only.", "There is no other session to end.", "ends by signing out", "not known"],
        lacks: ["End all others"],
      },
      {
        name: "at other places too",
        shows: sessions(sampleSession({ own: true }), sampleSession({ id: "s2", device: "Safari on iPhone" })),
        says: ["signed in at 2 places", "End all others", "this one", "203.0.113.7"],
        has: ['a[href*="end%3As2"]'],
        hasNot: ['a[href*="end%3As1"]'],
      },
    ],
  },
  {
    name: "PeopleView",
    states: [
      {
        name: "nobody yet",
        shows: people(),
        says: ["0 people may sign in, 0 admins.", "0 operators"],
        lacks: ["without a second factor"],
      },
      {
        name: "an admin without a second factor",
        shows: people(samplePerson({ twoFactor: false })),
        says: ["1 person may sign in, 1 admin.", "1 admin without a second factor.", "Disable", "End sessions"],
        lacks: ["Reset second factor", "Enable"],
      },
      {
        name: "oneself",
        shows: people(samplePerson({ self: true, signsInBy: ["password", "oidc"] })),
        says: ["you", "Someone else must change your access.", "password and code or OIDC"],
        hasNot: ['a[href*="disable%3A"]'],
      },
      {
        name: "disabled, and invited",
        shows: people(
          samplePerson({ disabledAt: "2026-11-20T10:00:00Z", sessions: [] }),
          samplePerson({ id: "p2", signsInBy: [], invitedUntil: "2026-11-24T10:00:00Z", sessions: [] }),
          samplePerson({ id: "p3", signsInBy: [] }),
        ),
        says: ["Enable", "link open until", "nothing yet, and no link is open", "no session"],
        has: ['a[href*="enable%3Ap1"]', 'a[href*="role%3Ap2"]'],
        hasNot: ['a[href*="role%3Ap1"]', 'a[href*="end-all%3Ap2"]'],
      },
    ],
  },
  {
    name: "SettingsView",
    states: [
      {
        name: "a new deployment",
        shows: settings({ guard: { active: false, note: "Anybody may write." } }),
        says: ["No program has a key yet.", "No source has a secret of its own.", "0 programs", "Not guarded"],
      },
      {
        name: "in use",
        shows: settings({
          clients: [
            {
              id: "c1",
              name: "shop",
              scopes: ["payments"],
              profile: "problem",
              createdAt: SAMPLE_NOW,
              keys: [
                { id: "live-key", createdAt: SAMPLE_NOW },
                { id: "dead-key", createdAt: SAMPLE_NOW, revokedAt: SAMPLE_NOW },
              ],
            },
          ],
          operators: [
            { id: "o1", name: "Ada", email: "ada@acme.example", role: "admin", createdAt: SAMPLE_NOW },
            {
              id: "o2",
              name: "Bo",
              email: "bo@acme.example",
              role: "viewer",
              createdAt: SAMPLE_NOW,
              disabledAt: SAMPLE_NOW,
            },
          ],
          eventSources: [
            { source: "bank", secretId: "k1", createdAt: SAMPLE_NOW },
            { source: "old-bank", secretId: "k2", createdAt: SAMPLE_NOW, expiresAt: SAMPLE_NOW },
          ],
          permissions: [
            { action: "operations.read", role: "viewer", allowed: true },
            { action: "operations.resolve", role: "operator", allowed: false },
            { action: "operations.release", role: "operator", allowed: false },
          ],
        }),
        says: ["1 program", "2 people", "viewer, disabled", "no end", "1 of 3 actions"],
        lacks: ["admin, disabled", "Not guarded"],
        has: ['a[href="/settings/permissions"]'],
      },
    ],
  },
];
