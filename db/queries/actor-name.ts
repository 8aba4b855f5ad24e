/**
 * SQL for the name of whom a column keeps as `kind:id`; whoever has none any more, or was kept by name, stands as kept.
 * @param column e.g. `o.assigned_to` @param tenant expression of the tenant's id
 */
export function actorName(column: string, tenant: string): string {
  const person = `(select x.name from onceboard.operators x where ${column} like 'operator:%' and x.id = substr(${column}, 10))`;
  const program = `(select x.name from onceboard.api_clients x where ${column} like 'client:%' and x.tenant_id = ${tenant} and x.id = substr(${column}, 8))`;
  return `coalesce(${person}, ${program}, ${column})`;
}
