/** The product on a copy of the seed. */
import type { Scene } from '../scene.ts'
import type { Seed } from '../load/workloads.ts'
import { copySeed } from '../seed.ts'
import { type HttpContestant, httpContestant } from './http-contestant.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'

export interface ProductContestant extends HttpContestant {
  readonly product: Product
  /** The same with another API token. */
  with(token: string): Promise<HttpContestant>
}

export async function productContestant(
  name: string,
  scene: Scene,
  options: Omit<ProductOptions, 'name'> = {},
): Promise<ProductContestant> {
  const databaseUrl = await copySeed(scene.servers, name)
  const product = await startProduct(scene.servers, scene.cleanup, { name, ...options })
  const { urls, pids, crashes } = product
  const of = (seed: Seed) => httpContestant({ name, databaseUrl, urls, pids, crashes }, { ...scene, seed })
  return { ...(await of(scene.seed)), product, with: token => of({ ...scene.seed, token }) }
}
