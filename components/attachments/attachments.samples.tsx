import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { AttachmentsView as View, AttachmentView, ChosenView, LookView } from "@/presentation/views/attachments";
import { answeredAction } from "@/components/feedback/action.samples";
import { AttachmentsView } from "./attachments-view";
import { AttachmentSetup, Found } from "./setup/attachment-setup";

const EARLIER = "2026-11-22T12:00:00.000000Z";
const REFUSED = "You need the role admin.";

const sampleAttachment = (changes: Partial<AttachmentView> = {}): AttachmentView => ({
  ...{ id: "a1", name: "orders-db", shown: "orders-db.internal:5432/orders", library: "CAP" },
  ...{ installedAs: "onceboard_attach", createdAt: EARLIER, createdBy: "Ines Duarte" },
  ...changes,
});

const page = (changes: Partial<View> = {}) =>
  inLive(<AttachmentsView view={{ at: SAMPLE_NOW, attachments: [], limit: 10, ...changes }} />);

const CHOSEN: ChosenView = {
  ...{ preset: "cap", title: "CAP", versions: "DotNetCore.CAP 8 to 10", where: "cap" },
  constants: [
    { name: "time_zone", kind: "zone", says: "The zone of the service's clock.", given: "UTC" },
    { name: "max_attempts", kind: "integer", says: "How often a message is tried.", default: "50" },
  ],
  lists: [
    {
      list: "outgoing",
      facts: [
        { name: "id", kind: "stored" },
        { name: "sent_at", kind: "not_stored", says: "CAP keeps no time of sending." },
        { name: "available_at", kind: "derived", says: "Added plus 60 s a retry." },
      ],
      preview: {
        shown: true,
        columns: ["id", "created_at"],
        rows: [{ state: "sent", values: ["out:1", "2026-11-22T12:00:00.000Z"] }],
      },
    },
    {
      list: "dead",
      facts: [{ name: "id", kind: "stored" }],
      preview: { shown: false, because: "Not shown: it would read all of published." },
    },
  ],
  acts: [
    { act: "requeue", offered: true },
    { act: "discard", offered: false, says: "No safe statement is known." },
  ],
  notes: ["Rows expire a day after they are sent."],
  sql: { file: "-- all of it", look: "create view …", indexes: ["create index concurrently …"], act: "" },
};

const LOOK: LookView = {
  ...{ at: SAMPLE_NOW, shown: "orders-db.internal:5432/orders", login: "onceboard_attach", server: "17.2", tables: 12 },
  recognised: [
    { preset: "cap", title: "CAP", versions: "8 to 10", schema: "cap", because: "cap.published has Id and Name." },
  ],
  nearMisses: [
    {
      preset: "oban",
      title: "Oban",
      versions: "2",
      schema: "public",
      because: "public.oban_jobs has no column state.",
    },
  ],
  guesses: [
    {
      ...{ table: "public.request_keys", kind: "keys", because: "It has key as its key." },
      map: { table: "public.request_keys", keys: { key: "key", id: ["key"], inFlight: "no_row" } },
    },
  ],
  tableNames: ["public.request_keys"],
  chosen: CHOSEN,
  installed: {
    schema: "onceboard_attach",
    preset: "cap",
    findings: [
      { state: "ok", text: "Installed: CAP." },
      { state: "wrong", text: "dead cannot be read.", mend: "grant select on all tables …" },
    ],
  },
};

const shown = (found: LookView) =>
  inLive(
    <Found
      found={found}
      look={{
        action: answeredAction(undefined),
        choice: { url: "", constants: {}, acting: true },
        found,
        ask: () => undefined,
        answered: () => undefined,
      }}
    />,
  );

export const attachmentParts: readonly Part[] = [
  {
    name: "AttachmentsView",
    states: [
      {
        name: "none",
        shows: page(),
        says: [
          "No database is attached.",
          "Attach a database",
          "0 of 10",
          "What attaching does",
          "at most ten rows of each list",
        ],
        lacks: ["Remove"],
        has: ['a[href="/settings/attachments/new"]'],
      },
      {
        name: "one that answers and one that does not",
        shows: page({
          attachments: [
            sampleAttachment(),
            sampleAttachment({ id: "a2", name: "billing", unreachable: "The database cannot be reached." }),
          ],
        }),
        says: ["2 databases are attached.", "1 cannot be read now.", "Answers", "Cannot be read", "CAP"],
        has: ['a[href="/sources/orders-db"]', 'a[href*="dialog=remove%3Aa1"]'],
      },
      {
        name: "for somebody who may not attach",
        shows: page({ attachments: [sampleAttachment()], whyNot: REFUSED }),
        says: [REFUSED],
        lacks: ["Remove"],
        hasNot: ['a[href="/settings/attachments/new"]'],
      },
      {
        name: "as many as there may be",
        shows: page({ attachments: [sampleAttachment()], limit: 1 }),
        says: ["A tenant attaches at most 1 database; remove one first."],
        hasNot: ['a[href="/settings/attachments/new"]'],
      },
    ],
  },
  {
    name: "AttachmentSetup",
    states: [
      {
        name: "before a look",
        shows: inLive(<AttachmentSetup view={{ schema: "onceboard_attach" }} />),
        says: ["Attach a database.", "Address", "Look"],
        has: ['input[type="password"]:not([name])'],
      },
      {
        name: "for somebody who may not attach",
        shows: inLive(<AttachmentSetup view={{ schema: "onceboard_attach", whyNot: REFUSED }} />),
        says: [REFUSED],
        off: ["Look"],
      },
      {
        name: "a library, with a check that fails",
        shows: shown(LOOK),
        says: [
          ...["CAP in cap", "Chosen", "Not Oban", "public.request_keys, perhaps keys made by hand"],
          ...["What can be shown: Outbox", "1 as stored, 1 derived, 1 not stored", "CAP keeps no time of sending."],
          ...["Preview: Outbox", "2026-11-22 12:00:00", "No rows are shown.", "it would read all of published"],
          ...["Requeue: offered", "Discard: not offered", "1 of 2 pass", "grant select on all tables …"],
          ...[
            "As the table has it.",
            "Left empty it is 50.",
            "Known from 8 to 10.",
            "1. Look",
            "create view …",
            "create index concurrently …",
            "Copy all",
            "A check fails",
          ],
        ],
        off: ["Attach"],
      },
      {
        name: "each check passes",
        shows: shown({
          ...LOOK,
          installed: { ...LOOK.installed, findings: [{ state: "ok", text: "Installed: CAP." }] },
        }),
        says: ["1 of 1 pass", "Its address is sealed and not shown again."],
      },
      {
        name: "a map that does not fit",
        shows: shown({
          ...LOOK,
          chosen: {
            ...CHOSEN,
            ...{ preset: "", where: "public.request_keys", problem: "There is no column gone." },
            ...{ constants: [], lists: [], acts: [], notes: [] },
            map: {
              given: {
                table: "public.request_keys",
                keys: { key: "key", id: ["key"], inFlight: "status", states: {} },
              },
              columns: [{ name: "key", type: "text" }],
            },
          },
        }),
        says: ["There is no column gone.", "Columns that name one row together", "A request still runs when"],
        lacks: ["SQL for the owner"],
        off: ["Attach"],
      },
    ],
  },
];
