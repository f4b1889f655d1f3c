/** The product on a copy of the seed. */
import type { StackOptions } from '@svc/local/stack'
import type { Cleanup } from '../cleanup.ts'
import { bareEnv, dropEvents } from './bare.ts'
import type { Contestant } from './contestant.ts'
import { httpContestant } from './http-contestant.ts'
import { type Product, startProduct } from './product.ts'
import { copySeed } from '../seed.ts'
import type { Servers } from '../servers.ts'
import type { Instruments } from '../load/window.ts'
import { type Seed, workloadNames } from '../load/workloads.ts'

export interface ProductContestantOptions {
  /** Of its database and folder, too. */
  readonly name: string
  readonly label: string
  readonly seed: Seed
  readonly replicas?: StackOptions['replicas']
  /** For its processes, in addition to what `npm start` gives them. */
  readonly env?: Readonly<Record<string, string>>
  /** With the features of its peers. */
  readonly bare?: boolean
  /** Its bus has the user `tests`. */
  readonly withTests?: boolean
}

export async function productContestant(
  { name, label, seed, replicas, env, bare = false, withTests }: ProductContestantOptions,
  { servers, instruments, cleanup }: { servers: Servers; instruments: Instruments; cleanup: Cleanup },
): Promise<{ product: Product; contestant: Contestant }> {
  const databaseUrl = await copySeed(servers, name)
  const product = await startProduct(servers, cleanup, {
    ...{ name, database: name, replicas, withTests },
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
