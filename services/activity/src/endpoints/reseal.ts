import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { countResealed } from '@svc/runtime/outbox/resealed'
import { sealedWith } from '@svc/runtime/seal'
import type { Deps } from '../deps.ts'
import { secretContext } from './webhook-endpoint.ts'

const perCall = 50

interface Row {
  readonly id: string
  readonly secret: string
  readonly previous_secret: string | null
}

/** An endpoint whose secret is rotated meanwhile is skipped: its new secret was sealed with the first key. */
export const reseal: Handler<typeof activity.operations.reseal, Deps> = async (
  { body: { after = '' } },
  _caller,
  { sql, seal, call, eventWritten },
) => {
  const rows = await sql<Row>`/* activity.list_sealed_secrets */
    select id, secret, previous_secret from webhook_endpoints where id > ${after} order by id limit ${perCall}`
  const next = rows.length === perCall ? (rows.at(-1)?.id ?? null) : null
  const sealed = rows.flatMap(row => {
    const [now, previous_now] = [again(row.id, row.secret), again(row.id, row.previous_secret)]
    return now === row.secret && previous_now === row.previous_secret ? [] : { ...row, now, previous_now }
  })
  if (sealed.length === 0) return { body: { resealed: 0, next } }
  const [total] = await sql<{ count: number }>`/* activity.reseal_secrets */
    with written as (
      update webhook_endpoints w set secret = g.now, previous_secret = g.previous_now
      from jsonb_to_recordset(${sql.json(sealed)}) as g (
        id text, secret text, previous_secret text, now text, previous_now text
      )
      where w.id = g.id and w.secret = g.secret and w.previous_secret is not distinct from g.previous_secret
      returning 1
    ), ${countResealed(call.by, 'webhook_endpoints')}`
  eventWritten()
  return { body: { resealed: total?.count ?? 0, next } }

  function again(id: string, text: string | null) {
    if (text === null || sealedWith(text) === seal.keyId) return text
    return seal.seal(seal.unseal(text, secretContext(id)), secretContext(id))
  }
}
