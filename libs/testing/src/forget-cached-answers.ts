/** For tests that change auth-tokens' tables by hand. */
import { waitUntil } from '@svc/local/wait-until'
import type postgres from 'postgres'

interface Holder {
  id: string
  until: string
  struck_out: boolean
}

/**
 * Until no gateway uses an answer any more that it had before this call: as an operator does it, who changed something by
 * hand (docs/people/leases.md).
 */
export async function forgetCachedAnswers(sql: postgres.Sql): Promise<void> {
  await sql`update auth_tokens.lease_holders set struck_out = true`
  const renewed = await nextRenewals(sql, ({ struck_out }) => !struck_out)
  // A gateway sends a renewal when it has read the reply to the one before.
  const before = new Map(renewed.map(({ id, until }) => [id, until]))
  await nextRenewals(sql, ({ id, until }) => until !== before.get(id))
}

/** Waits until this is true of all whose lease has not ended. */
async function nextRenewals(sql: postgres.Sql, isRenewed: (holder: Holder) => boolean) {
  let holders: Holder[] = []
  await waitUntil('the next renewals of the leases', async () => {
    holders = await sql<Holder[]>`
      select id, until::text, struck_out from auth_tokens.lease_holders where until > now()`
    return holders.every(isRenewed)
  })
  return holders
}
