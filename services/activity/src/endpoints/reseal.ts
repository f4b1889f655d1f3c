import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { type Count, resealer, type SealedRow } from '@svc/runtime/reseal'
import { sealedWith } from '@svc/runtime/seal'
import type { Deps } from '../deps.ts'
import { secretContext } from './webhook-endpoint.ts'

interface Row extends SealedRow {
  readonly sealed: readonly (string | null)[]
}

export const reseal: Handler<typeof activity.operations.reseal, Deps> = resealer<Row, Deps>({
  webhook_endpoints: {
    read: (sql, after, limit) => sql<Row>`/* activity.list_sealed_secrets */
      select id, jsonb_build_array(secret, previous_secret) as sealed
      from webhook_endpoints where id > ${after} order by id limit ${limit}`,
    again: ({ id, sealed }, { seal }) =>
      sealed.map(text =>
        text === null || sealedWith(text) === seal.keyId
          ? text
          : seal.seal(seal.unseal(text, secretContext(id)), secretContext(id)),
      ),
    write: (sql, g, count) => sql<Count>`/* activity.reseal_secrets */
      with written as (
        update webhook_endpoints w set secret = g.after ->> 0, previous_secret = g.after ->> 1 from ${g}
        where w.id = g.id and jsonb_build_array(w.secret, w.previous_secret) = g.before
        returning 1
      ), ${count}`,
  },
})
