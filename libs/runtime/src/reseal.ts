/** Seals what a service has sealed again with the first key, a batch per call. */
import type { Attribution } from '@svc/contract/core/actor'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { sealingOperations } from '@svc/contract/core/sealing'
import { intoOutbox } from './outbox/outbox.ts'
import { type Fragment, fragment } from './sql-fragment.ts'
import type { Sql } from './sql-template.ts'

const perCall = 50

export interface SealedRow {
  readonly id: string
  /** As the database has it in JSON. */
  readonly sealed: unknown
}

export interface SealedTable<Row extends SealedRow, Deps> {
  /** Reads them in the order of their ids. */
  read(sql: Sql, after: string, limit: number): Promise<Row[]>
  /** The same value, if the first key has sealed it. */
  again(row: Row, deps: Deps): unknown
  /**
   * Writes `g.after` where `g.before` is still stored: who changes a row meanwhile uses the first key, once every replica has it.
   *
   * @param count ends a statement whose part `written` has a row for each that was written
   */
  write(sql: Sql, g: Fragment, count: Fragment): Promise<Count[]>
}

export interface Count {
  readonly count: number
}

interface SealingDeps {
  readonly sql: Sql
  readonly call: { readonly by: Attribution }
  readonly eventWritten: () => void
}

/** @param tables by name, in the order in which they are resealed */
export const resealer =
  <Row extends SealedRow, Deps extends SealingDeps>(
    tables: Readonly<Record<string, SealedTable<Row, Deps>>>,
  ): Handler<typeof sealingOperations.reseal, Deps> =>
  async ({ body: { after } }, _caller, deps) => {
    const entries = Object.entries(tables)
    const [name = entries[0]?.[0], from = ''] = after?.split(' ') ?? []
    const at = entries.findIndex(([one]) => one === name)
    const [, table] = entries[at] ?? []
    if (!name || !table)
      throw refusal('invalid_body', {
        path: ['after'],
        message: 'after is not a value that an earlier call returned.',
      })
    const rows = await table.read(deps.sql, from, perCall)
    const changed: object[] = []
    for (const row of rows) {
      const again = await table.again(row, deps)
      if (JSON.stringify(again) !== JSON.stringify(row.sealed))
        changed.push({ id: row.id, before: row.sealed, after: again })
    }
    let resealed = 0
    if (changed.length > 0) {
      const g = fragment`jsonb_to_recordset(${deps.sql.json(changed)}) as g (id text, before jsonb, after jsonb)`
      const [total] = await table.write(deps.sql, g, countResealed(deps.call.by, name))
      resealed = total?.count ?? 0
    }
    if (resealed > 0) deps.eventWritten()
    const nextTable = entries[at + 1]?.[0]
    const next = rows.length === perCall ? `${name} ${rows.at(-1)?.id}` : nextTable && `${nextTable} `
    return { body: { resealed, next: next ?? null } }
  }

const countResealed = (by: Attribution, table: string): Fragment => fragment`
  total as materialized (
    select count(*)::int as count from written
  ), event as (
    ${intoOutbox(by)} ${table}, 'events.secrets.resealed', jsonb_build_object('count', count) from total where count > 0
  )
  select count from total`
