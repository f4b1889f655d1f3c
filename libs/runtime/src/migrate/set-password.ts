import type postgres from 'postgres'

/** Utility statements take no parameters; format() quotes the password as a literal. */
export async function setPassword(sql: postgres.ISql, role: string, password: string): Promise<void> {
  const [alter] = await sql`/* runtime.compose_password */
    select format('alter role %I password %L', ${role}::text, ${password}::text) as text`
  await sql.unsafe(alter?.text)
}
