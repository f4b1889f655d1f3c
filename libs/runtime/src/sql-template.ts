/** Statements as they stand in the sources: a tagged template with parameters. */
import { tracing } from '@svc/telemetry/tracing'
import { traceStatement } from '@svc/telemetry/tracing-database'
import type postgres from 'postgres'
import type { Statement } from './database-connection.ts'
import { compose } from './sql-fragment.ts'

/** A tagged template that runs one statement and returns its rows. Its values are parameters, or fragments of its text. */
export interface Sql {
  <Row extends object = Record<string, unknown>>(
    strings: TemplateStringsArray,
    ...values: unknown[]
  ): Promise<Row[]>
  /** Marks a parameter as jsonb. */
  json(value: unknown): unknown
}

/** Runs a statement; reports when it has a connection. */
export type Submit = (statement: Statement, connected?: () => void) => Promise<object[]>

/** The template whose statements `submit` runs, each in a span where there is a trace. */
export const template = (submit: Submit): Sql =>
  Object.assign(
    <Row extends object>(text: TemplateStringsArray, ...parts: unknown[]) => {
      const { strings, values } = compose(text, parts)
      const statement: Statement = client =>
        client(strings, ...(values.map(value => parameter(client, value)) as never[]))
      const rows = tracing
        ? traceStatement(strings, connected => submit(statement, connected))
        : submit(statement)
      return rows as Promise<Row[]>
    },
    { json: (value: unknown) => new Json(value) },
  )

const parameter = (client: postgres.Sql, value: unknown): unknown =>
  value instanceof Json ? client.json(value.value as never) : value

class Json {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}
