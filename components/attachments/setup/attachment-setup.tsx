"use client";

import { SettingsHead } from "@/components/settings/settings-head";
import { TwoColumns } from "@/components/ui/section";
import { ATTACHING } from "@/presentation/attachments/attachments-verdict";
import { lookVerdict } from "@/presentation/attachments/look-verdict";
import { plural } from "@/presentation/format/words";
import type { AttachmentFormView, LookView } from "@/presentation/views/attachments";
import { AddressForm } from "./address-form";
import { AttachForm } from "./attach-form";
import { Checks, SqlSteps } from "./checks-and-sql";
import { ConstantsForm } from "./constants-form";
import { FoundShapes } from "./found-shapes";
import { MapForm } from "./map-form";
import { useLook, type Look } from "./use-look";
import { WhatCanBeShown } from "./what-can-be-shown";

/** From the address of a database to an attachment: look, choose or map, install, check, attach. */
export function AttachmentSetup({ view }: { readonly view: AttachmentFormView }) {
  const look = useLook(view.schema);
  const { found } = look;
  return (
    <>
      <SettingsHead
        here="/settings/attachments"
        clauses={found === undefined ? [{ text: "Attach a database." }] : lookVerdict(found)}
        lede={found === undefined ? ATTACHING : ledeOf(found)}
      />
      <AddressForm look={look} whyNot={view.whyNot} />
      {found !== undefined && <Found look={look} found={found} />}
    </>
  );
}

/** Shown as soon as something is known; what is chosen is looked at again each time. */
export function Found({ look, found }: { readonly look: Look; readonly found: LookView }) {
  const { ask, choice, action } = look;
  const { chosen, installed } = found;
  const again = (): void => {
    ask({});
  };
  return (
    <TwoColumns
      side={
        <>
          <AttachForm key={found.shown} choice={choice} found={found} />
          <Checks installed={installed} busy={action.busy} again={again} />
          {chosen !== undefined && chosen.problem === undefined && (
            <SqlSteps
              sql={chosen.sql}
              acting={choice.acting}
              busy={action.busy}
              choose={(acting) => {
                ask({ acting });
              }}
            />
          )}
        </>
      }
    >
      <FoundShapes look={look} found={found} />
      {chosen?.problem !== undefined && <p className="doubt">{chosen.problem}</p>}
      {chosen?.map !== undefined && (
        <MapForm
          key={chosen.where}
          map={choice.map ?? chosen.map.given}
          columns={chosen.map.columns}
          change={(map) => {
            ask({ map, preset: undefined, in: undefined });
          }}
        />
      )}
      {chosen !== undefined && (
        <ConstantsForm
          key={`${chosen.preset} ${chosen.where}`}
          constants={chosen.constants}
          busy={action.busy}
          change={(constants) => {
            ask({ constants });
          }}
        />
      )}
      {chosen !== undefined && chosen.problem === undefined && <WhatCanBeShown chosen={chosen} />}
    </TwoColumns>
  );
}

function ledeOf({ shown, server, login, tables }: LookView): string {
  return `Read from ${shown}, PostgreSQL ${server}, by ${login}: ${plural(tables, "table")} by ${tables === 1 ? "its" : "their"} columns. Nothing was changed there, and nothing is kept here until it is attached.`;
}
