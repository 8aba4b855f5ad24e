import { Fragment, type ReactNode } from "react";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { Masked } from "@/components/ui/values/masked";
import { Time } from "@/components/ui/values/time";
import type { FieldComparison } from "@/presentation/command/compare";
import { cutMiddle, cutName } from "@/presentation/format/cut-middle";
import { UUID } from "@/domain/uuid";
import { formatDuration } from "@/presentation/format/display-time";
import { glyphWord } from "@/presentation/format/glyph";
import type { CommandSide, ConflictDetail } from "@/presentation/views/conflicts";
import styles from "./compare.module.css";

const GLYPHS = { meaning: "conflict", form: "form", same: "same" } as const;
const BLOCKS: readonly { readonly kind: keyof typeof GLYPHS; readonly heading?: string }[] = [
  { kind: "meaning" },
  { kind: "form", heading: "Differs in form only, alone it would be the same command" },
  { kind: "same", heading: "Same" },
];

/** Two commands under one key, in three blocks: what differs in meaning, what differs in form only, what is the same. */
export function Compare({ detail }: { readonly detail: ConflictDetail }) {
  return (
    <div className={styles["compare"]}>
      {detail.valuesNote !== undefined && <p className={styles["note"]}>{detail.valuesNote}</p>}
      <table aria-label="The two commands, field by field">
        <colgroup>
          <col className={styles["colGlyph"]} />
          <col className={styles["colName"]} />
          <col />
          <col />
          <col className={styles["colSaid"]} />
        </colgroup>
        <Head detail={detail} />
        <tbody>
          {BLOCKS.map(
            ({ kind, heading }) =>
              detail[kind].length > 0 && (
                <Fragment key={kind}>
                  {heading !== undefined && (
                    <tr className={styles["divider"]}>
                      <td colSpan={5}>{heading}</td>
                    </tr>
                  )}
                  {detail[kind].map((field) => (
                    <FieldRow key={field.field} kind={kind} field={field} shown={detail.valuesShown} />
                  ))}
                </Fragment>
              ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function Head({ detail }: { readonly detail: ConflictDetail }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="spoken">Same or not</span>
        </th>
        <th scope="col">
          <span className="spoken">Field</span>
        </th>
        <th scope="col">
          <Side side={detail.first} now={detail.at} name="First command">
            {detail.first.client}
          </Side>
        </th>
        <th scope="col">
          <Side side={detail.second} now={detail.at} name="Second command">
            {formatDuration(detail.laterMs)} later, {detail.sameClient ? "same client" : detail.second.client}
          </Side>
        </th>
        <th scope="col">
          <span className="spoken">What it means</span>
        </th>
      </tr>
    </thead>
  );
}

interface SideProps {
  readonly side: CommandSide;
  readonly name: string;
  readonly now: string;
  readonly children: ReactNode;
}

function Side({ side, name, now, children }: SideProps) {
  const text =
    side.outcome === "conflict"
      ? "refused"
      : side.outcome === "claimed"
        ? "claimed"
        : glyphWord(side.outcome).toLowerCase();
  return (
    <>
      <b>
        <Glyph name={side.outcome === "claimed" ? (side.state ?? "in_progress") : side.outcome} />
        {name}
      </b>
      <Time at={side.at} now={now} form="clock" />, {text}
      {side.status !== undefined && `, ${String(side.status)}`}
      <br />
      {children}
      {side.fingerprint !== undefined && (
        <>
          <br />
          fingerprint <Id value={side.fingerprint} full plain />
        </>
      )}
    </>
  );
}

interface FieldRowProps {
  readonly kind: keyof typeof GLYPHS;
  readonly field: FieldComparison;
  /** False: this role sees names, not values. */
  readonly shown: boolean;
}

function FieldRow({ kind, field, shown }: FieldRowProps) {
  return (
    <tr data-kind={kind}>
      <td>
        <Glyph
          name={GLYPHS[kind]}
          label={kind === "meaning" ? "Differs in meaning" : kind === "form" ? "Differs in form only" : "Same"}
        />
      </td>
      <th scope="row" title={field.field}>
        {cutName(field.field)}
      </th>
      <td>
        <Value value={field.first} other={field.second} shown={shown} strong={kind === "meaning"} />
      </td>
      <td>
        <Value value={field.second} other={field.first} shown={shown} strong={kind === "meaning"} />
      </td>
      <td>{field.said}</td>
    </tr>
  );
}

interface ValueProps {
  readonly value: string | undefined;
  readonly other: string | undefined;
  readonly shown: boolean;
  readonly strong: boolean;
}

/** Ids lose their middle; everything else wraps, a difference is never cut away. */
function shorten(value: string): string {
  return UUID.test(value) ? cutMiddle(value) : value;
}

/** A differing value is underlined; of an amount only the part that differs. */
function Value({ value, other, shown, strong }: ValueProps) {
  if (value === undefined) return shown || other !== undefined ? <i>absent</i> : <Masked />;
  if (!strong) return <span title={value}>{shorten(value)}</span>;
  const [number, currency, ...more] = value.split(" ");
  const unit = other?.split(" ")[1];
  if (number !== undefined && currency !== undefined && currency === unit && more.length === 0) {
    return (
      <span title={value}>
        <mark>{number}</mark> {currency}
      </span>
    );
  }
  return <mark title={value}>{shorten(value)}</mark>;
}
