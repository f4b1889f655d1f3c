/** The product on a copy of the seed. */
import type { Cleanup } from '../cleanup.ts'
import { bareEnv, dropEvents } from './bare.ts'
import type { Contestant } from './contestant.ts'
import { httpContestant } from './http-contestant.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'
import { copySeed } from '../seed.ts'
import type { Servers } from '../servers.ts'
import type { Instruments } from '../load/window.ts'
import { type Seed, workloadNames } from '../load/workloads.ts'

/** Its name is that of its database, too. */
export interface ProductContestantOptions extends Omit<ProductOptions, 'database'> {
  readonly label: string
  readonly seed: Seed
  /** With the features of its peers. */
  readonly bare?: boolean
}

export async function productContestant(
  { label, seed, bare = false, ...options }: ProductContestantOptions,
  { servers, instruments, cleanup }: { servers: Servers; instruments: Instruments; cleanup: Cleanup },
): Promise<{ product: Product; contestant: Contestant }> {
  const { name, env } = options
  const databaseUrl = await copySeed(servers, name)
  const product = await startProduct(servers, cleanup, {
    ...options,
    database: name,
    env: { ...env, ...(bare && bareEnv) },
  })
  if (bare) await dropEvents(databaseUrl)
  const contestant = await httpContestant(
    {
      name,
      label,
      workloads: workloadNames,
      floor: false,
      urls: product.stack.gateways.map(({ url }) => url),
      seed,
      databaseUrl,
      pids: product.pids,
      crashes: product.crashes,
    },
    instruments,
    cleanup,
  )
  return { product, contestant }
}
