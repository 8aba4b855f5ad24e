"use client";

import { useCallback, useRef, useState } from "react";
import { useAdminAction, type AdminAction } from "@/components/feedback/use-admin-action";
import type { LookView, MapView } from "@/presentation/views/attachments";

const LOOK = "/api/v1/admin/attachments/look";

/** What is looked at and what of it is chosen. The address with its password is in the memory of this page alone. */
export interface LookChoice {
  readonly url: string;
  readonly schema?: string | undefined;
  readonly role?: string | undefined;
  readonly preset?: string | undefined;
  readonly in?: string | undefined;
  readonly map?: MapView | undefined;
  readonly constants: Readonly<Record<string, string>>;
  readonly acting: boolean;
}

export interface Look {
  readonly action: AdminAction;
  readonly choice: LookChoice;
  /** Of the newest look that was answered. */
  readonly found: LookView | undefined;
  /** Changes what is chosen and looks again; one that is asked for while another is under way comes after it, the last alone. */
  readonly ask: (change: Partial<LookChoice>) => void;
  /** A proof of who it is was given, and the look that waited for it is answered. */
  readonly answered: (body: Readonly<Record<string, unknown>>) => void;
}

const NOTHING: LookChoice = { url: "", constants: {}, acting: true };

/** Looks at a database as often as something is chosen anew. */
export function useLook(schema: string): Look {
  const action = useAdminAction();
  const [choice, setChoice] = useState<LookChoice>({ ...NOTHING, schema });
  const [found, setFound] = useState<LookView>();
  const now = useRef(choice);
  const running = useRef(false);
  /** What was chosen while a look was under way. */
  const later = useRef<LookChoice>(undefined);
  const { begin, send } = action;

  const answered = useCallback((body: Readonly<Record<string, unknown>>) => {
    setFound(body as unknown as LookView);
  }, []);

  const ask = useCallback(
    (change: Partial<LookChoice>) => {
      // Another database: what was found in the one before says nothing of it.
      if (change.url !== undefined && change.url !== now.current.url) setFound(undefined);
      now.current = { ...now.current, ...change };
      setChoice(now.current);
      if (running.current) {
        later.current = now.current;
        return;
      }
      running.current = true;
      const run = async (asked: LookChoice): Promise<void> => {
        begin();
        const body = await send(LOOK, bodyOf(asked));
        if (body !== undefined) answered(body);
        const next = later.current;
        later.current = undefined;
        if (next !== undefined) await run(next);
      };
      void run(now.current).finally(() => {
        running.current = false;
      });
    },
    [answered, begin, send],
  );
  return { action, choice, found, ask, answered };
}

/** What is not chosen is not sent: a member that is empty would be refused. */
function bodyOf(choice: LookChoice): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined && value !== ""));
}
