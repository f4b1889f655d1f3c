// Packages, versions, products and channels for a test, created by the real operations.

import { createHash } from 'node:crypto'
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { ApiError } from '@svc/contract/core/errors'
import { type ChannelPolicy, offers } from '@svc/contract/offers/offers'
import { newId } from '@svc/runtime/id'
import { unhurried } from '@svc/testing/size'
import type postgres from 'postgres'
import { foundNoRoom } from './http.ts'

type Operations = typeof offers.operations
export type CatalogueOperation = Exclude<keyof Operations, 'create_offer' | 'list_installs'>
export interface Input {
  readonly params?: Record<string, string>
  readonly body?: object
}
export type RunOperation = (name: CatalogueOperation, input: Input) => Promise<unknown>

export type Catalogue = ReturnType<typeof catalogue>

/** Runs the operations over the bus, as an internal program does on behalf of a workspace; see `withRoom`. */
export const overBus =
  (call: CallBus, workspace: string): RunOperation =>
  async (name, input) => {
    for (;;) {
      try {
        const caller = { kind: 'internal', id: 'test', workspace } as const
        return await invoke(call, offers, name, { caller, ...input, deadline: unhurried() } as never)
      } catch (error) {
        if (!(error instanceof ApiError && foundNoRoom(error.body))) throw error
      }
    }
  }

export function catalogue(run: RunOperation) {
  const idOf = async (name: CatalogueOperation, input: Input) =>
    ((await run(name, input)) as { id: string }).id
  const made = {
    package: () => idOf('create_package', { body: { name: 'Package' } }),
    version: (id: string, input_schema: object = exampleSchema) =>
      idOf('create_package_version', { params: { id }, body: { version: newId('pkgv'), input_schema } }),
    /** A product of the package, pinned to the version if one is given. */
    product: (package_id: string, current_package_version_id: string | null = null) =>
      idOf('create_product', { body: { name: 'Product', package_id, current_package_version_id } }),
    pin: (id: string, current_package_version_id: string) =>
      run('update_product', { params: { id }, body: { current_package_version_id } }),
    async channel(product_id: string, policy?: ChannelPolicy, status = 'active') {
      const id = await idOf('create_offer_channel', { body: { product_id, name: 'Channel', status } })
      if (policy) await made.policy(id, policy)
      return id
    },
    setStatus: (id: string, status: 'active' | 'inactive') =>
      run('update_offer_channel', { params: { id }, body: { status } }),
    policy: (id: string, policy: ChannelPolicy) =>
      run('create_channel_policy', { params: { id }, body: { policy, activate: true } }),
    /** A product with two versions, pinned to the first. */
    async twoVersions() {
      const package_id = await made.package()
      const first = await made.version(package_id)
      const second = await made.version(package_id)
      return { package_id, first, second, product_id: await made.product(package_id, first) }
    },
  }
  return made
}

/**
 * A version whose schema no process has seen: publishing compiles the schema, so this one is inserted by SQL.
 *
 * @param schema made unique by its title
 */
export async function insertUnseenVersion(
  sql: postgres.Sql,
  workspace: string,
  package_id: string,
  schema: object = exampleSchema,
): Promise<string> {
  const id = newId('pkgv')
  const text = JSON.stringify({ ...schema, title: id })
  const hash = createHash('sha256').update(text).digest('hex')
  await sql`
    insert into offers.package_versions (id, workspace_id, package_id, version, input_schema, schema_hash)
    values (${id}, ${workspace}, ${package_id}, ${id}, ${text}, ${hash})`
  return id
}

export const exampleSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', enum: ['eu', 'us'] },
    seats: { type: 'integer', minimum: 1 },
    anything: true,
    address: { type: 'object', properties: { lines: { type: 'array', items: { type: 'string' } } } },
  },
  required: ['region', 'seats'],
}

export const rangePolicy: ChannelPolicy = {
  approval: 'manual',
  checkout: 'none',
  support: 'gold',
  payment_instructions: null,
  entitlements: {},
  licence_days: 30,
  grace_days: 7,
  pricing: {
    kind: 'range',
    currencies: ['eur'],
    intervals: ['month'],
    min_unit_amount: 100,
    max_unit_amount: 200,
    default_price: { currency: 'eur', interval: 'month', unit_amount: 120 },
  },
  allow_non_billable_test: false,
  default_commercial_mode: 'paid',
}

export const fixedPolicy: ChannelPolicy = {
  approval: 'automatic',
  checkout: 'required',
  support: null,
  payment_instructions: null,
  entitlements: {},
  licence_days: 30,
  grace_days: 7,
  pricing: { kind: 'fixed', currency: 'usd', interval: 'year', unit_amount: 5000 },
  allow_non_billable_test: true,
  default_commercial_mode: 'paid',
}
