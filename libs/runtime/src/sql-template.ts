import { tracing } from '@svc/telemetry/tracing'
import { traceStatement } from '@svc/telemetry/tracing-database'
import type postgres from 'postgres'
import type { Statement } from './database-connection.ts'
import { compose } from './sql-fragment.ts'

/** A tagged template that runs one statement and returns its rows. Its values are parameters or fragments. */
export interface Sql {
  <Row extends object = Record<string, unknown>>(
    strings: TemplateStringsArray,
    ...values: unknown[]
  ): Promise<Row[]>
  json(value: unknown): unknown
}

export type Submit = (statement: Statement, connected?: () => void) => Promise<object[]>

/** Runs its statements with `submit`, each in a span if there is a trace. */
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
