"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePlace } from "@/components/ui/place";
import { ToolMenu } from "@/components/ui/tool-menu";
import { chosenColumns, columnsValue } from "@/presentation/list/columns";
import type { TableColumn } from "@/components/table/columns";
import { setDensity, useDensity } from "@/components/table/use-density";
import styles from "./list-tools.module.css";

/** Which columns a list shows, kept in its address, and how high its rows are, kept with the person. */
export function ColumnMenu({ columns }: { readonly columns: readonly TableColumn[] }) {
  const options = columns.filter(({ choice }) => choice !== undefined);
  return (
    <ToolMenu label="Columns">
      {options.length > 0 && <Columns options={options} />}
      <Rows />
    </ToolMenu>
  );
}

function Columns({ options }: { readonly options: readonly TableColumn[] }) {
  const router = useRouter();
  const { hrefOf } = usePlace();
  const [shown, setShown] = useState(() => new Set(options.flatMap(({ id, hidden }) => (hidden ? [] : [id]))));
  const show = (ids: Set<string>): void => {
    setShown(ids);
    router.replace(hrefOf({ columns: columnsValue(options, ids) }), { scroll: false });
  };
  return (
    <>
      <h3>Columns</h3>
      <div className={styles["options"]}>
        {options.map(({ id, label }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={shown.has(id)}
              onChange={(event) => {
                const next = new Set(shown);
                if (event.currentTarget.checked) next.add(id);
                else next.delete(id);
                show(next);
              }}
            />
            {label}
          </label>
        ))}
      </div>
      <button
        type="button"
        className={styles["reset"]}
        disabled={columnsValue(options, shown) === undefined}
        onClick={() => {
          show(new Set(chosenColumns(options, undefined).map(({ id }) => id)));
        }}
      >
        As standard
      </button>
    </>
  );
}

function Rows() {
  const density = useDensity();
  return (
    <>
      <h3>Rows, in every list</h3>
      <div className={styles["options"]}>
        {(["standard", "compact"] as const).map((value) => (
          <label key={value}>
            <input
              type="radio"
              name="density"
              checked={density === value}
              onChange={() => {
                setDensity(value);
              }}
            />
            {value === "standard" ? "Standard, 36 px" : "Compact, 30 px"}
          </label>
        ))}
      </div>
    </>
  );
}
