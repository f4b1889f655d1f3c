/** The statements of libs/runtime that neither a request nor a look at the outbox leads to by itself. */
import { invoke } from '@svc/bus/invoke'
import { offers } from '@svc/contract/offers/offers'
import { caller, type Driven, sender } from '../stack/driven-stack.ts'

export async function useRuntime(driven: Driven): Promise<void> {
  await useQuotas(driven)
}

/** Raised, and as they were again. */
async function useQuotas({ dev, baseUrl, backoffice }: Driven) {
  for (const most of [10_000, null]) {
    const body = { quota: 'products', most } as const
    await invoke(backoffice, offers, 'set_quota', { ...caller(dev.workspace_id), body })
  }
  await sender(baseUrl)('GET', '/limits', dev.api_token)
}
