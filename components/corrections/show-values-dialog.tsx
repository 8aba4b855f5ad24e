"use client";

import { useState, type SubmitEvent } from "react";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import dialogStyles from "@/components/feedback/action-dialog.module.css";
import { DialogField, REASON_FIELD } from "@/components/feedback/dialog-field";
import { DialogLine, fieldText, ModalDialog } from "@/components/feedback/modal-dialog";
import { StepUp } from "@/components/feedback/step-up";
import { useAdminAction, type AdminAction } from "@/components/feedback/use-admin-action";
import { Button } from "@/components/ui/button";
import { goToPlace, usePlace } from "@/components/ui/place";
import { CHANGE_KINDS, type BodyChange } from "@/domain/messages/correction";
import { ChangeTable } from "./change-table";

interface ShowValuesProps {
  readonly path: string;
  readonly notOffered: string | undefined;
}

const TITLE_ID = "values-title";

/** The difference of a correction with its values, to a person who says why; closing forgets it. */
export function ShowValuesDialog(props: ShowValuesProps) {
  const { query, hrefOf } = usePlace();
  const action = useAdminAction();
  const leave = (): void => {
    goToPlace(hrefOf({ dialog: undefined }), "replace");
  };
  return (
    <ModalDialog open={query.get("dialog") === "values"} begin={action.begin} leave={leave} titleId={TITLE_ID}>
      <ValuesForm {...props} action={action} leave={leave} />
    </ModalDialog>
  );
}

interface ValuesFormProps extends ShowValuesProps {
  readonly action: AdminAction;
  readonly leave: () => void;
}

function ValuesForm({ path, action, leave, ...props }: ValuesFormProps) {
  // They live in this component's memory and nowhere else.
  const [changes, setChanges] = useState<readonly BodyChange[]>();
  const { busy, answer } = action;
  const why = props.notOffered ?? action.whyOff;
  const shown = (done: Readonly<Record<string, unknown>>): void => {
    setChanges(changesIn(done["changes"]));
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (why !== undefined) return;
    const reason = fieldText(new FormData(event.currentTarget), "reason");
    void action.send(path, { reason }).then((done) => {
      if (done !== undefined) shown(done);
    });
  };
  return (
    <form onSubmit={submit}>
      <div className={dialogStyles["inside"]}>
        <h2 id={TITLE_ID}>
          {changes === undefined ? "Show the values of this correction?" : "Difference, with values"}
        </h2>
        {changes === undefined ? (
          <>
            <dl>
              <DialogLine name="Effect">Both values of each changed field are shown here.</DialogLine>
              <DialogLine name="Not done">
                Nothing is sent or approved. Your name, the time and the reason go into the audit, never the values.
              </DialogLine>
            </dl>
            <DialogField field={REASON_FIELD} />
            <ActionAnswerView answer={answer} />
            <StepUp action={action} verb="Show the values" onDone={shown} />
          </>
        ) : changes.length === 0 ? (
          <p>The values are not kept any more.</p>
        ) : (
          <ChangeTable changes={changes} values />
        )}
      </div>
      <div className={dialogStyles["foot"]}>
        <span>{why ?? (changes === undefined ? "Looking is written down." : "Closing forgets them here.")}</span>
        <Button onClick={leave}>{changes === undefined ? "Cancel" : "Close"}</Button>
        {changes === undefined && (
          <Button primary type="submit" disabled={busy} notOffered={why}>
            {busy ? "Waiting for the answer" : "Show values"}
          </Button>
        )}
      </div>
    </form>
  );
}

/** @returns what an answer says of the difference, as far as it is one */
function changesIn(answer: unknown): readonly BodyChange[] {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((each: Partial<BodyChange>) => {
    const kind = CHANGE_KINDS.find((known) => known === each.kind);
    if (kind === undefined || typeof each.path !== "string") return [];
    return [{ path: each.path, kind, before: each.before, after: each.after }];
  });
}
