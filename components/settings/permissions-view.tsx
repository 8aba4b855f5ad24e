import { DataList } from "@/components/ui/data-list";
import { Glyph } from "@/components/ui/values/glyph";
import { Section, TwoColumns } from "@/components/ui/section";
import { mayClauses } from "@/presentation/access/people-claims";
import { ROLE_NOTES } from "@/presentation/policy/role-words";
import { CONFIRM_MINUTES } from "@/domain/access/permission";
import type { PermissionRow, PermissionsView as View } from "@/presentation/views/access";
import type { Role } from "@/domain/idempotency/states";
import { SettingsHead } from "./settings-head";
import styles from "./access.module.css";

/** Your role, and what each role may do: the one policy source, as a table. */
export function PermissionsView({ view }: { readonly view: View }) {
  const { role, roles, actions } = view;
  return (
    <>
      <SettingsHead
        here="/settings/permissions"
        lede={`The server checks before every page and every action. Actions marked “asks again” want your password or code when you last gave it more than ${String(CONFIRM_MINUTES)} minutes ago. An API key of scope admin acts as admin in its own tenant and is not asked.`}
        clauses={mayClauses({ role, actions })}
      />
      <TwoColumns
        side={
          <Section title="Roles" space="small">
            <DataList items={roles.map((one) => ({ name: one, value: ROLE_NOTES[one] }))} narrow />
          </Section>
        }
      >
        <Section title="Your permissions" note="your role is shaded" space="small">
          <div className={styles["scroll"]} tabIndex={0} role="region" aria-label="What each role may do">
            <table className={styles["matrix"]}>
              <thead>
                <tr>
                  <th scope="col">Action</th>
                  {roles.map((one) => (
                    <th key={one} scope="col" data-own={one === role || undefined}>
                      {one}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {actions.map((row) => (
                  <ActionRow key={row.action} row={row} roles={roles} own={role} />
                ))}
              </tbody>
            </table>
          </div>
        </Section>
      </TwoColumns>
    </>
  );
}

interface ActionRowProps {
  readonly row: PermissionRow;
  readonly roles: readonly Role[];
  readonly own: Role;
}

function ActionRow({ row, roles, own }: ActionRowProps) {
  return (
    <tr>
      <th scope="row">
        <span className={styles["named"]}>
          {row.label}
          <small>
            {row.action}
            {row.confirmed && ", asks again"}
          </small>
        </span>
      </th>
      {roles.map((role) => (
        <td key={role} data-own={role === own || undefined}>
          {row.roles.includes(role) ? (
            <Glyph name="proven" size={14} tone="proven" label={`${role} may`} />
          ) : (
            <span className="quiet" aria-label={`${role} may not`}>
              ·
            </span>
          )}
        </td>
      ))}
    </tr>
  );
}
