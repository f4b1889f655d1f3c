/** The product under a steady load with many tokens, calm and while other tokens of the same workspace are revoked. */
import { startLoop } from '../load/loop.ts'
import type { WindowPlan } from '../load/window.ts'
import type { Seed } from '../load/workloads.ts'
import { calm, type Contestant, revoking } from './contestant.ts'
import { ownerOf } from './ask.ts'
import type { ProductContestant } from './product-contestant.ts'

/** Requests a second, whatever the answers. */
export const steadyRate = 1000
/** More than are in progress at that rate, unless answers are late. */
export const steadyConnections = 64
/** The load's own tokens, each used five times a second. */
const loadTokens = 200
export const revocationsPerSecond = 10
/** Tokens are revoked beyond the window: in its warm-up, and until its load has ended. */
const spareSeconds = 6
/** A workspace has 500 tokens at most: the seed's, the load's, and those that are to be revoked. */
export const maxSteadySeconds = 20

export const steadyLoadLabel = `GET /installs, ${steadyRate.toLocaleString('en-US')} requests/s with ${loadTokens} tokens, calm and with ${revocationsPerSecond} revocations/s of others`

/** @param product on which nothing else is measured meanwhile */
export async function revocationContestants(
  product: ProductContestant,
  seed: Seed,
): Promise<readonly Contestant[]> {
  const send = ownerOf(product.product.urls[0] ?? '', seed)
  const create = async () =>
    (await send('POST', '/api_tokens', { name: 'bench' })) as { id: string; token: string }
  const tokens: string[] = []
  while (tokens.length < loadTokens) tokens.push((await create()).token)
  const open = { per_second: steadyRate, tokens }
  const others: string[] = []

  const whileRevoking = async (plan: WindowPlan) => {
    const revocations = startLoop({
      lanes: 4,
      perSecond: revocationsPerSecond,
      what: 'revocations',
      act: revokeFirst(id => send('DELETE', `/api_tokens/${id}`), others),
    })
    try {
      return await revocations.during(product.measure(plan))
    } finally {
      await revocations.stop()
    }
  }
  const contestant = (name: string, measure: Contestant['measure']): Contestant => ({
    ...product,
    name,
    async measure(plan) {
      // Before either window, so that both find the same tokens.
      while (others.length < revocationsPerSecond * (plan.seconds + spareSeconds)) {
        others.push((await create()).id)
      }
      return measure({ ...plan, open })
    },
  })
  return [contestant(calm, product.measure), contestant(revoking, whileRevoking)]
}

/** Each call revokes the first of the tokens that are left. */
export const revokeFirst = (revoke: (id: string) => Promise<unknown>, ids: string[]) => async () => {
  const id = ids.shift()
  if (id === undefined) throw new Error('There is no token left to be revoked.')
  await revoke(id)
}
