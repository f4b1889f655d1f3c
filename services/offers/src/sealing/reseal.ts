import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { secretFields } from '../offers/create/check-field-values.ts'
import type { Deps } from '../deps.ts'
import { type KeptValues, keptValues, type Resealed, type Table, tables } from './kept-values.ts'
import {
  inOffer,
  type OfferedValues,
  offerContext,
  orderContext,
  resealValues,
  type Values,
} from './sealed-values.ts'

const perCall = 50

/**
 * Reseals the values of offers, orders and installs. Concurrent changes win: their writers use the first key, once
 * every replica has that key.
 */
export const reseal: Handler<typeof offers.operations.reseal, Deps> = async (
  { body: { after } },
  _,
  deps,
) => {
  const [table, from] = parsePosition(after)
  const rows = await keptValues[table].read(deps.sql, from, perCall)
  const changed: Resealed[] = []
  for (const row of rows) {
    const sealed = await sealedAgain(table, row, deps)
    if (JSON.stringify(sealed) === JSON.stringify(row.field_values)) continue
    changed.push({ id: row.id, before: row.field_values, after: sealed })
  }
  const resealed = changed.length > 0 ? await keptValues[table].write(deps.sql, changed, deps.call.by) : 0
  if (resealed > 0) deps.eventWritten()
  const last = rows.at(-1)
  const nextTable = tables[tables.indexOf(table) + 1]
  const next = last && rows.length === perCall ? `${table} ${last.id}` : nextTable && `${nextTable} `
  return { body: { resealed, next: next ?? null } }
}

async function sealedAgain(table: Table, { home, field_values, version }: KeptValues, deps: Deps) {
  const secret = await secretFields(version, deps)
  const again = (context: string) => (values: Values) => resealValues(deps.seal, values, secret, context)
  return table === 'offers'
    ? inOffer(field_values as OfferedValues, again(offerContext(home)))
    : again(orderContext(home))(field_values)
}

function parsePosition(after = `${tables[0]} `): [Table, string] {
  const [name, id = ''] = after.split(' ')
  const table = tables.find(one => one === name)
  if (!table)
    throw refusal('invalid_body', {
      path: ['after'],
      message: 'after is not a value that an earlier call returned.',
    })
  return [table, id]
}
