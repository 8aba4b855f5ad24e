import { Link } from "@/components/ui/link";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { drawnCells, columnsOf, type Cells } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { Button, ButtonLink } from "@/components/ui/button";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { notFound, stoppedWords } from "@/presentation/list/list-answers";
import { isGlyphName } from "@/presentation/format/glyph";
import { tableColumns } from "@/presentation/list/columns";
import type { FindTarget, FindView as Found } from "@/presentation/views/find";
import type { SourceHits } from "@/presentation/views/sources";
import { FoundInSources } from "@/components/sources/found-in-sources";
import { FindForm } from "./find-form";
import styles from "./find.module.css";

export interface FindProps {
  /** What was asked for; empty before anything was. */
  readonly query: string;
  readonly found?: Found | undefined;
  /** Of the attached databases of the chosen tenant. */
  readonly sources?: SourceHits | undefined;
}

const MAX_QUERY = 300;

/** One field for every name a thing can have. */
export function FindView({ query, found, sources }: FindProps) {
  return (
    <>
      <PageHead>
        <PageTitle note={note(found)}>Find</PageTitle>
      </PageHead>
      <FindForm className={styles["form"]}>
        <input
          key={query}
          name="q"
          defaultValue={query}
          maxLength={MAX_QUERY}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          placeholder="Key, id, reference or amount"
          aria-label="Key, id, reference or amount"
        />
        <Button type="submit" primary>
          Find
        </Button>
      </FindForm>
      {found === undefined ? <Hint /> : <Result query={query} found={found} />}
      {sources !== undefined && sources.asked > 0 && <FoundInSources query={query} found={sources} />}
    </>
  );
}

function note(found: Found | undefined): string | undefined {
  if (found?.kind !== "found" || found.targets.length === 0) return undefined;
  const elsewhere = found.targets.some((target) => target.tenant !== undefined)
    ? ", none of them in the chosen tenant"
    : "";
  return `${String(found.targets.length)}${found.more ? " and more" : ""} found${elsewhere}`;
}

function Hint() {
  return (
    <ul className={styles["hint"]}>
      <li>The key a client sent, or the operation it stands for.</li>
      <li>The id of a payment, refund, ledger entry, message, event, plan or audit entry.</li>
      <li>A provider key or a provider reference.</li>
      <li>A request id that an answer named, or a trace id.</li>
      <li>A client, an account, a merchant reference, or an amount such as 12,480.00 EUR.</li>
      <li>
        Without an order number: <Link href="/references">by customer, amount and day</Link>.
      </li>
    </ul>
  );
}

function Result({ query, found }: { readonly query: string; readonly found: Found }) {
  if (found.kind === "too_broad") {
    return (
      <TooBroad
        title="This search took too long."
        text={stoppedWords(
          { seconds: found.stoppedAfterSeconds, search: true },
          "Try a whole key or id, or filter the list by amount and time.",
        )}
        actions={
          <ButtonLink small href="/operations">
            Filter the list
          </ButtonLink>
        }
      />
    );
  }
  if (found.targets.length === 0) {
    return (
      <EmptyState
        title="Nothing found."
        text={notFound({ query, ...found.elsewhere })}
        actions={
          <ButtonLink small href="/operations">
            Filter the list
          </ButtonLink>
        }
      />
    );
  }
  const empty = (["tenant", "state", "verdict", "amount", "at"] as const).filter((column) =>
    found.targets.every((target) => target[column === "amount" ? "money" : column] === undefined),
  );
  const columns = columnsOf(FOUND, { without: empty });
  const cells = drawnCells(FOUND, columns, CELLS);
  return (
    <DataTable
      label="Found"
      columns={columns}
      rows={found.targets.map((target) => ({
        id: `${target.matched} ${target.href}`,
        label: target.label,
        href: target.href,
        copy: target.id,
        cells: cells(target, found.at),
      }))}
    />
  );
}

const FOUND = tableColumns({
  label: { label: "What it is", phone: "left", wrap: true },
  state: { label: "State", phone: "right" },
  verdict: { label: "Verdict", phone: "full", wrap: true },
  amount: { label: "Amount", align: "right", phone: "right" },
  at: { label: "When", align: "right", phone: "right" },
  matched: { label: "Found as", phone: "left" },
  tenant: { label: "Tenant", phone: "right" },
  id: { label: "Id", wide: true },
});

const CELLS: Cells<typeof FOUND, FindTarget, string> = {
  // The amount has a column of its own.
  label: ({ label, money }) => (money === undefined ? label : label.replace(` ${money.display}`, "")),
  state: ({ state }) => state !== undefined && <State name={state} />,
  verdict: ({ verdict }) =>
    verdict !== undefined && (
      <span className="toned" data-tone={verdict.tone === "fine" ? undefined : verdict.tone}>
        {verdict.text}
      </span>
    ),
  amount: ({ money }) => money !== undefined && <Money {...money} />,
  at: ({ at }, now) => at !== undefined && <Time at={at} now={now} form="day" />,
  matched: ({ matched }) => matched,
  tenant: ({ tenant }) => tenant,
  id: ({ id }) => <Id value={id} plain />,
};

/** Operations and messages have a glyph, a plan has the words of its state. */
function State({ name }: { readonly name: string }) {
  return isGlyphName(name) ? <StateTag name={name} /> : <span>{name.replaceAll("_", " ")}</span>;
}
