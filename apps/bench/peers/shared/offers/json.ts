import type { ISql, JSONValue } from 'postgres'

/** A parameter of type jsonb; SQL's null, not JSON's. */
export const json = (sql: ISql, value: object | null) =>
  value === null ? null : sql.json(value as JSONValue)
