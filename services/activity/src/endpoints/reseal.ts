import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { sealedWith } from '@svc/runtime/seal'
import type { Deps } from '../deps.ts'
import { secretContext } from './webhook-endpoint.ts'

/** Endpoints that one call looks at. */
const perCall = 50

interface Row {
  readonly id: string
  readonly secret: string
  readonly previous_secret: string | null
}

/** One whose secret is rotated meanwhile stays as it is: its new secret was sealed with the first key. */
export const reseal: Handler<typeof activity.operations.reseal, Deps> = async (
  { body: { after = '' } },
  _caller,
  { sql, seal },
) => {
  const rows = await sql<Row>`/* activity.list_sealed_secrets */
    select id, secret, previous_secret from webhook_endpoints where id > ${after} order by id limit ${perCall}`
  let resealed = 0
  for (const { id, secret, previous_secret } of rows) {
    const again = (text: string | null) =>
      text === null || sealedWith(text) === seal.keyId
        ? text
        : seal.seal(seal.unseal(text, secretContext(id)), secretContext(id))
    const [current, previous] = [again(secret), again(previous_secret)]
    if (current === secret && previous === previous_secret) continue
    await sql`/* activity.reseal_secrets */
      update webhook_endpoints set secret = ${current}, previous_secret = ${previous}
      where id = ${id} and secret = ${secret} and previous_secret is not distinct from ${previous_secret}`
    resealed++
  }
  return { body: { resealed, next: rows.length === perCall ? (rows.at(-1)?.id ?? null) : null } }
}
