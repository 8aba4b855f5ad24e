import { Link } from "@/components/ui/link";
import { SectionTable } from "@/components/table/rows-table";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import type { ClaimStatus, ProofClaim, ProofRow, SignedProof } from "@/presentation/proof/proof-statement";
import { plural } from "@/presentation/format/words";
import { CLAIM_FACES, CLAIM_ORDER, pageOfRow, tableWord } from "./proof-words";
import styles from "./proof.module.css";

/** Rows of one table that are named before the rest is folded. */
const ROWS_SHOWN = 2;

export function ProofClaims({ proof }: { readonly proof: SignedProof }) {
  const claims = CLAIM_ORDER.flatMap((status) => proof.claims.filter((claim) => claim.status === status));
  return (
    <SectionTable
      title="Claims"
      note={summary(claims)}
      space="none"
      rows={claims}
      rowId={(claim) => claim.name}
      columns={{
        Claim: { phone: "left", wrap: true, cell: (claim) => <Claim claim={claim} /> },
        Expected: { align: "right", phone: "hidden", cell: (claim) => claim.expected },
        Counted: { align: "right", phone: "right", cell: (claim) => <Counted claim={claim} /> },
        "Rows behind it": {
          phone: "full",
          wrap: true,
          cell: (claim) => <Rows claim={claim} operationId={proof.operationId} />,
        },
      }}
    />
  );
}

/** "15, all hold" or "15: 1 fails, 14 hold". */
function summary(claims: readonly ProofClaim[]): string {
  const of = (status: ClaimStatus): number => claims.filter((claim) => claim.status === status).length;
  if (of("holds") === claims.length) return `${String(claims.length)}, all hold`;
  const parts = CLAIM_ORDER.flatMap((status) => {
    const count = of(status);
    const { one, many } = CLAIM_FACES[status];
    return count === 0 ? [] : [`${String(count)} ${count === 1 ? one : many}`];
  });
  return `${String(claims.length)}: ${parts.join(", ")}`;
}

function Claim({ claim }: { readonly claim: ProofClaim }) {
  const face = CLAIM_FACES[claim.status];
  return (
    <span className={styles["claim"]} data-status={claim.status}>
      <Glyph name={face.glyph} tone={face.tone} label={face.word} />
      <span>
        {claim.text}
        {claim.note !== undefined && (
          <span className={styles["note"]} data-tone={claim.status === "fails" ? "broken" : undefined}>
            {claim.note}
          </span>
        )}
      </span>
    </span>
  );
}

/** The count; on the phone with what was expected, for which there is no column. */
function Counted({ claim: { counted, expected, status } }: { readonly claim: ProofClaim }) {
  return (
    <b className={`toned ${styles["counted"]}`} data-tone={status === "fails" ? "broken" : undefined}>
      {counted}
      <span>, expected {expected}</span>
    </b>
  );
}

function Rows({ claim, operationId }: { readonly claim: ProofClaim; readonly operationId: string }) {
  const { rows } = claim;
  const link = (row: ProofRow) => pageOfRow(row, operationId, claim.name);
  if (rows.length === 0)
    return (
      <span className={styles["rows"]}>
        <span className="quiet">no row</span>
      </span>
    );
  const tables = [...new Set(rows.map((row) => row.table))];
  return (
    <ul className={styles["rows"]}>
      {tables.map((table) => (
        <li key={table}>
          <TableRows table={table} rows={distinct(rows, table)} link={link} />
        </li>
      ))}
    </ul>
  );
}

function distinct(rows: readonly ProofRow[], table: string): readonly ProofRow[] {
  const ids = new Set(rows.filter((row) => row.table === table).map((row) => row.id));
  return [...ids].map((id) => ({ table, id }));
}

interface TableRowsProps {
  readonly table: string;
  readonly rows: readonly ProofRow[];
  readonly link: (row: ProofRow) => string | undefined;
}

function TableRows({ table, rows, link }: TableRowsProps) {
  const rest = rows.slice(ROWS_SHOWN);
  return (
    <>
      <span className={styles["table"]}>
        {rows.length === 1 ? tableWord(table, 1) : plural(rows.length, tableWord(table, 1), tableWord(table, 2))}
      </span>{" "}
      {rows.slice(0, ROWS_SHOWN).map((row) => (
        <Row key={row.id} id={row.id} page={link(row)} />
      ))}
      {rest.length > 0 && (
        <details className={styles["rest"]}>
          <summary>and {rest.length} more</summary>
          {rest.map((row) => (
            <Row key={row.id} id={row.id} page={link(row)} />
          ))}
        </details>
      )}
    </>
  );
}

function Row({ id, page }: { readonly id: string; readonly page: string | undefined }) {
  if (page === undefined) return <Id value={id} />;
  return (
    <Link href={page}>
      <Id value={id} plain />
    </Link>
  );
}
