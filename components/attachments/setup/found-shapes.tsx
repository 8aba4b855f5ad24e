"use client";

import { useState } from "react";
import { EmptyState } from "@/components/feedback/notice";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import type { LookView } from "@/presentation/views/attachments";
import type { Look } from "./use-look";
import styles from "./setup.module.css";

const KINDS = { keys: "keys", outbox: "an outbox", inbox: "an inbox" } as const;

/** Whose tables are there and why, and which of them are looked at. */
export function FoundShapes({ look, found }: { readonly look: Look; readonly found: LookView }) {
  const { ask } = look;
  const { recognised, nearMisses, guesses, chosen } = found;
  const choose = { preset: undefined, in: undefined, map: undefined, constants: {} };
  return (
    <Section title="What is there" note={`PostgreSQL ${found.server}, ${found.shown}`} space="small">
      {recognised.length + guesses.length === 0 && (
        <EmptyState
          title="No known shape."
          text="No table has the columns of a library that is known. Map one by hand."
        />
      )}
      <ul className={styles["shapes"]}>
        {recognised.map(({ preset, title, versions, schema, because }) => (
          <Shape
            key={`${preset} ${schema}`}
            title={`${title} in ${schema}`}
            text={`${because} Known from ${versions}.`}
            isChosen={chosen?.map === undefined && chosen?.preset === preset && chosen.where === schema}
            choose={() => {
              ask({ ...choose, preset, in: schema });
            }}
          />
        ))}
        {guesses.map(({ table, kind, because, map }) => (
          <Shape
            key={table}
            title={`${table}, perhaps ${KINDS[kind]} made by hand`}
            text={because}
            isChosen={chosen?.map !== undefined && chosen.where === table}
            choose={() => {
              ask({ ...choose, map });
            }}
          />
        ))}
        {nearMisses.map(({ preset, schema, title, because }) => (
          <li key={`near ${preset} ${schema}`}>
            <div>
              <b>Not {title}</b>
              <p className="note">{because}</p>
            </div>
          </li>
        ))}
      </ul>
      <ByHand
        names={found.tableNames}
        choose={(table) => {
          ask({ ...choose, map: { table } });
        }}
      />
    </Section>
  );
}

interface ShapeProps {
  readonly title: string;
  readonly text: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Shape({ title, text, isChosen, choose }: ShapeProps) {
  return (
    <li data-chosen={isChosen || undefined}>
      <div>
        <b>{title}</b>
        <p className="note">{text}</p>
      </div>
      {isChosen ? (
        <span className="small quiet">Chosen</span>
      ) : (
        <Button small onClick={choose}>
          Choose<span className="spoken"> {title}</span>
        </Button>
      )}
    </li>
  );
}

/** For a table that looks like nothing: whoever knows it says what it is. */
function ByHand({ names, choose }: { readonly names: readonly string[]; readonly choose: (table: string) => void }) {
  const [table, setTable] = useState(names[0] ?? "");
  if (names.length === 0) return null;
  return (
    <details className={styles["more"]}>
      <summary>Map another table by hand</summary>
      <div className={styles["line"]}>
        <select
          className="box field"
          aria-label="Table to map by hand"
          value={table}
          onChange={(event) => {
            setTable(event.currentTarget.value);
          }}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Button
          onClick={() => {
            choose(table);
          }}
        >
          Map it
        </Button>
      </div>
    </details>
  );
}
