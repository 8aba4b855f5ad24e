import { RowsTable, SectionTable } from "@/components/table/rows-table";
import { DataList } from "@/components/ui/data-list";
import { Link } from "@/components/ui/link";
import { Id } from "@/components/ui/values/id";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { cutName } from "@/presentation/format/cut-middle";
import { formatCount } from "@/presentation/format/display-time";
import { plural } from "@/presentation/format/words";
import type { ClientRow, SettingsView as Settings } from "@/presentation/views/settings";
import { SettingsTabs } from "./settings-head";
import styles from "./settings.module.css";

export function SettingsView({ settings }: { readonly settings: Settings }) {
  const { tenant, at } = settings;
  return (
    <>
      <PageHead lede="How this deployment is set up. People, sessions and webhook endpoints have pages of their own; create the first admin with the command operator.">
        <PageTitle note={`tenant ${tenant.id}, home region ${tenant.homeRegion}`}>Settings</PageTitle>
      </PageHead>
      <SettingsTabs here="/settings" />
      <TwoColumns side={<Side settings={settings} />}>
        <div className={styles["stack"]}>
          <Clients rows={settings.clients} at={at} />
          <Operators settings={settings} />
          <Sources settings={settings} />
        </div>
      </TwoColumns>
    </>
  );
}

function Clients({ rows, at }: { readonly rows: readonly ClientRow[]; readonly at: string }) {
  return (
    <SectionTable
      title="Clients"
      note={plural(rows.length, "program")}
      empty={<p className="quiet">No program has a key yet.</p>}
      rows={rows}
      columns={{
        Name: { wrap: true, cell: ({ name }) => <span title={name}>{cutName(name)}</span> },
        Scopes: { phone: "full", cell: ({ scopes }) => scopes.join(", ") },
        "Answers as": { phone: "hidden", cell: ({ profile }) => profile },
        Keys: {
          phone: "hidden",
          cell: ({ keys }) => (
            <span className={styles["keys"]}>
              {keys.length === 0 && <span className="quiet">none</span>}
              {keys.map((key) => (
                <span key={key.id} className={key.revokedAt === undefined ? undefined : styles["off"]}>
                  <Id value={key.id} plain />
                </span>
              ))}
            </span>
          ),
        },
        Since: { align: "right", cell: (row) => <Time at={row.createdAt} now={at} form="day" /> },
      }}
    />
  );
}

function Operators({ settings: { operators, at } }: { readonly settings: Settings }) {
  return (
    <Section title="Operators" note={plural(operators.length, "person", "people")}>
      <RowsTable
        label="Operators"
        rows={operators}
        columns={{
          Name: { wrap: true, cell: ({ name }) => <span title={name}>{cutName(name)}</span> },
          "E-mail": { phone: "full", cell: ({ email }) => email },
          Role: { cell: ({ role, disabledAt }) => (disabledAt === undefined ? role : `${role}, disabled`) },
          Since: {
            align: "right",
            phone: "hidden",
            cell: ({ createdAt }) => <Time at={createdAt} now={at} form="day" />,
          },
        }}
      />
    </Section>
  );
}

function Sources({ settings: { eventSources, at } }: { readonly settings: Settings }) {
  return (
    <SectionTable
      title="Event sources"
      note="whose signed events the inbox accepts"
      empty={<p className="quiet">No source has a secret of its own.</p>}
      rows={eventSources}
      rowId={({ source, secretId }) => `${source} ${secretId}`}
      columns={{
        Source: { cell: ({ source }) => source },
        Secret: { phone: "hidden", cell: ({ secretId }) => <Id value={secretId} plain /> },
        Since: { align: "right", cell: (row) => <Time at={row.createdAt} now={at} form="day" /> },
        Until: {
          align: "right",
          phone: "hidden",
          cell: ({ expiresAt }) =>
            expiresAt === undefined ? (
              <span className="quiet">no end</span>
            ) : (
              <Time at={expiresAt} now={at} form="day" />
            ),
        },
      }}
    />
  );
}

function Side({ settings }: { readonly settings: Settings }) {
  return (
    <>
      <Section title="Windows">
        <DataList items={settings.windows.map((fact) => ({ name: fact.label, value: fact.value }))} />
      </Section>
      <Section title="Database">
        <DataList
          items={[
            { name: settings.guard.active ? "Guarded" : "Not guarded", value: settings.guard.note },
            ...(settings.replica === undefined ? [] : [{ name: "Read replica", value: settings.replica }]),
          ]}
        />
      </Section>
      <Section title="What you may do" right={<Link href="/settings/permissions">Permissions</Link>}>
        <p>
          {formatCount(settings.permissions.filter(({ allowed }) => allowed).length)} of{" "}
          {plural(settings.permissions.length, "action")}
        </p>
      </Section>
    </>
  );
}
