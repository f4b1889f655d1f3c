import type postgres from 'postgres'

/** Makes `member` one of `granted` unless it already is: a role that may not grant cannot repeat a grant either. */
export async function grantRole(sql: postgres.ISql, granted: string, member: string): Promise<void> {
  const [found] =
    await sql`/* runtime.find_member */ select pg_has_role(${member}, ${granted}, 'member') as is_member`
  if (!found?.is_member) await sql`/* runtime.grant_role */ grant ${sql(granted)} to ${sql(member)}`
}
