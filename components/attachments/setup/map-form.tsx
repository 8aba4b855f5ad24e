"use client";

import { Section } from "@/components/ui/section";
import {
  columnsIn,
  emptyMap,
  IN_FLIGHT,
  KEY_FIELDS,
  KEY_LISTS,
  KEY_STATES,
  MESSAGE_FIELDS,
  MESSAGE_STATES,
  partsIn,
  valuesIn,
  withFact,
  type MapField,
} from "@/presentation/attachments/map-fields";
import type { MapFact, MappedColumnView, MapView } from "@/presentation/views/attachments";
import styles from "./setup.module.css";

interface MapFormProps {
  readonly map: MapView;
  readonly columns: readonly MappedColumnView[];
  readonly change: (map: MapView) => void;
}

/** Which column of a table made by hand is what. Each change is looked at at once. */
export function MapForm({ map, columns, change }: MapFormProps) {
  const names = columns.map(({ name }) => name);
  const kind = map.keys === undefined ? map.messages?.["kind"] : "keys";
  const facts = map.keys ?? map.messages ?? {};
  const set = (name: string, value: MapFact): void => {
    change(withFact(map, name, value));
  };
  return (
    <Section title="Mapping" note={`${map.table}: which column is what`} space="small">
      <div className={styles["fields"]}>
        <label>
          <span>This table holds</span>
          <select
            className="box field"
            value={typeof kind === "string" ? kind : ""}
            onChange={(event) => {
              change(emptyMap(map.table, event.currentTarget.value as "keys" | "outbox" | "inbox", names));
            }}
          >
            {kind === undefined && <option value="">choose</option>}
            <option value="keys">keys</option>
            <option value="outbox">an outbox</option>
            <option value="inbox">an inbox</option>
          </select>
        </label>
        {kind !== undefined &&
          (kind === "keys" ? KEY_FIELDS : MESSAGE_FIELDS).map((field) => (
            <ColumnField key={field.name} field={field} columns={columns} value={facts[field.name]} set={set} />
          ))}
        {kind === "keys" && <InFlightField value={facts["inFlight"]} set={set} />}
      </div>
      {kind === "keys" &&
        KEY_LISTS.map((field) => (
          <ColumnsField key={field.name} field={field} names={names} value={facts[field.name]} set={set} />
        ))}
      {kind === "keys" && (
        <label className={styles["check"]}>
          <input
            type="checkbox"
            checked={facts["keyIsHashed"] === true}
            onChange={(event) => {
              set("keyIsHashed", event.currentTarget.checked);
            }}
          />
          <span>The key is a hash of what the caller sent</span>
        </label>
      )}
      {kind === "keys" && facts["inFlight"] === "status" && (
        <StatesField states={KEY_STATES} value={facts["states"]} change={(value) => set("states", value)} />
      )}
      {kind !== undefined && kind !== "keys" && (
        <>
          <StatusField columns={columns} value={facts["status"]} set={set} />
          <MostField columns={columns} value={facts["max_attempts"]} set={set} />
        </>
      )}
    </Section>
  );
}

interface FieldProps {
  readonly value: MapFact;
  readonly set: (name: string, value: MapFact) => void;
}

function ColumnField({
  field: { name, label, required },
  columns,
  value,
  set,
}: FieldProps & { readonly field: MapField; readonly columns: readonly MappedColumnView[] }) {
  return (
    <label>
      <span>{label}</span>
      <ColumnSelect
        columns={columns}
        required={required === true}
        value={typeof value === "string" ? value : ""}
        change={(column) => {
          set(name, column);
        }}
      />
    </label>
  );
}

interface ColumnSelectProps {
  readonly columns: readonly MappedColumnView[];
  readonly required?: boolean;
  readonly value: string;
  readonly change: (column: string) => void;
}

function ColumnSelect({ columns, required = false, value, change }: ColumnSelectProps) {
  return (
    <select
      className="box field"
      value={value}
      onChange={(event) => {
        change(event.currentTarget.value);
      }}
    >
      {(!required || value === "") && <option value="">not stored</option>}
      {columns.map(({ name, type }) => (
        <option key={name} value={name}>
          {name}, {type}
        </option>
      ))}
    </select>
  );
}

function InFlightField({ value, set }: FieldProps) {
  return (
    <label>
      <span>A request still runs when</span>
      <select
        className="box field"
        value={typeof value === "string" ? value : "no_row"}
        onChange={(event) => {
          set("inFlight", event.currentTarget.value);
        }}
      >
        {IN_FLIGHT.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function ColumnsField({
  field: { name, label },
  names,
  value,
  set,
}: FieldProps & { readonly field: MapField; readonly names: readonly string[] }) {
  const chosen = columnsIn(value);
  return (
    <fieldset className={styles["boxes"]}>
      <legend>{label}</legend>
      {names.map((column) => (
        <label key={column} className={styles["check"]}>
          <input
            type="checkbox"
            checked={chosen.includes(column)}
            onChange={(event) => {
              const rest = chosen.filter((each) => each !== column);
              set(name, event.currentTarget.checked ? [...rest, column] : rest);
            }}
          />
          <span>{column}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface StatesFieldProps {
  readonly states: readonly MapField[];
  readonly value: MapFact;
  readonly change: (value: Readonly<Record<string, string | number | readonly string[] | undefined>>) => void;
}

/** What the status says in each state; taken over when the field is left. */
function StatesField({ states, value, change }: StatesFieldProps) {
  const parts = partsIn(value);
  const before = Object.fromEntries(states.map(({ name }) => [name, valuesOf(parts[name])]));
  return (
    <div className={styles["fields"]}>
      {states.map(({ name, label }) => (
        <label key={name}>
          <span>{label}, values of the status</span>
          <input
            className="box field"
            autoComplete="off"
            defaultValue={(before[name] ?? []).join(", ")}
            onBlur={(event) => {
              const values = valuesIn(event.currentTarget.value);
              if (values.join() !== (before[name] ?? []).join()) change({ ...parts, ...before, [name]: values });
            }}
          />
        </label>
      ))}
    </div>
  );
}

const valuesOf = (part: unknown): readonly string[] => (Array.isArray(part) ? (part as readonly string[]) : []);

function StatusField({ columns, value, set }: FieldProps & { readonly columns: readonly MappedColumnView[] }) {
  const parts = partsIn(value);
  const column = typeof parts["column"] === "string" ? parts["column"] : "";
  const requeueAs = typeof parts["requeue_as"] === "string" ? parts["requeue_as"] : "";
  return (
    <>
      <div className={styles["fields"]}>
        <label>
          <span>Status</span>
          <ColumnSelect
            columns={columns}
            value={column}
            change={(name) => {
              set("status", name === "" ? undefined : { ...parts, column: name });
            }}
          />
        </label>
        {column !== "" && (
          <label>
            <span>Status of a message that is requeued</span>
            <input
              className="box field"
              autoComplete="off"
              defaultValue={requeueAs}
              onBlur={(event) => {
                const text = event.currentTarget.value.trim();
                if (text !== requeueAs) set("status", { ...parts, requeue_as: text === "" ? undefined : text });
              }}
            />
          </label>
        )}
      </div>
      {column !== "" && (
        <StatesField states={MESSAGE_STATES} value={value} change={(changed) => set("status", changed)} />
      )}
    </>
  );
}

/** A column, or a number that holds for each message. */
function MostField({ columns, value, set }: FieldProps & { readonly columns: readonly MappedColumnView[] }) {
  const { column, constant } = partsIn(value);
  return (
    <div className={styles["fields"]}>
      <label>
        <span>Most attempts, as a column</span>
        <ColumnSelect
          columns={columns}
          value={typeof column === "string" ? column : ""}
          change={(name) => {
            set("max_attempts", name === "" ? undefined : { column: name });
          }}
        />
      </label>
      {column === undefined && (
        <label>
          <span>or as a number</span>
          <input
            className="box field"
            inputMode="numeric"
            autoComplete="off"
            defaultValue={typeof constant === "number" ? String(constant) : ""}
            onBlur={(event) => {
              const most = Number.parseInt(event.currentTarget.value, 10);
              const next = Number.isInteger(most) && most > 0 ? most : undefined;
              if (next !== constant) set("max_attempts", next === undefined ? undefined : { constant: next });
            }}
          />
        </label>
      )}
    </div>
  );
}
