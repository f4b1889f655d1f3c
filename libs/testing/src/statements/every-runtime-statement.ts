/** The statements of libs/runtime that neither a request nor a look at the outbox leads to by itself. */
import { invoke } from '@svc/bus/invoke'
import { offers } from '@svc/contract/offers/offers'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { caller, type Driven, sender } from '../stack/driven-stack.ts'

export async function useRuntime(driven: Driven): Promise<void> {
  await useQuotas(driven)
  await refuseEvent(driven)
}

/** Raised, and as they were again. */
async function useQuotas({ dev, baseUrl, backoffice }: Driven) {
  for (const most of [10_000, null]) {
    const body = { quota: 'products', most } as const
    await invoke(backoffice, offers, 'set_quota', { ...caller(dev.workspace_id), body })
  }
  await sender(baseUrl)('GET', '/limits', dev.api_token)
}

/** The stream takes no event that is larger than a message may be. */
async function refuseEvent({ sql }: Driven) {
  const id = newId('prod')
  await sql`
    insert into offers.outbox (aggregate_id, subject, payload)
    values (${id}, 'events.products.updated', json_build_object('filler', repeat('x', 2000000)))`
  await waitUntil('the event is put off', async () => {
    const [held] = await sql`
      select from offers.outbox where aggregate_id = ${id} and held_until is not null`
    return held !== undefined
  })
  await sql`delete from offers.outbox where aggregate_id = ${id}`
}
