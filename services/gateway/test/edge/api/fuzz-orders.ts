// Orders in every state for random requests, placed and received by the same workspace.
import type { DevFile } from '@svc/local/seed-demo'
import { sender } from '@svc/testing/stack/driven-stack'

export interface OrderIds {
  /** Hashes of offers that anyone may use. */
  readonly hashes: string[]
  readonly installs: string[]
  /** Those that a step starts from. */
  for(step: string): string[]
}

const each = 20

export async function makeOrders({ base_url, owner, workspace_id, product_id }: DevFile): Promise<OrderIds> {
  const post = sender<Record<'id' | 'short_hash' | 'install_id', string>>(base_url)
  const send = (path: string, body?: object) =>
    post('POST', path, owner.session_token, { body, workspace: workspace_id })
  const package_id = (await send('/packages', { name: 'fuzz' })).id
  const version = { version: '1.0.0', input_schema: { properties: { seats: {}, region: {} } } }
  const current_package_version_id = (await send(`/packages/${package_id}/versions`, version)).id
  const product = await send('/products', { name: 'fuzz', package_id, current_package_version_id })

  const newChannel = async (approval: string, checkout: string) => {
    const { id } = await send('/offer_channels', { product_id: product.id, name: 'fuzz' })
    const pricing = { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 100 }
    const policy = { approval, checkout, pricing, allow_non_billable_test: false }
    await send(`/offer_channels/${id}/policies`, { policy, activate: true })
    return { product_id: product.id, offer_channel_id: id }
  }
  const order = async (offer: object, submit: boolean) => {
    const { short_hash } = await send('/offers', { ...offer, max_uses: null })
    const { id } = await send(`/i/${short_hash}/orders`)
    return submit ? send(`/orders/${id}/submit`, {}) : { id, install_id: '' }
  }
  const orders = async (offer: object, submit = true) => {
    const made = await Promise.all(Array.from({ length: each }, () => order(offer, submit)))
    return made.map(({ id }) => id)
  }

  const open = { product_id: product.id }
  const approval = await newChannel('manual', 'none')
  const checkout = await newChannel('automatic', 'required')
  const byStep: Record<string, string[]> = {
    submit: await orders(open, false),
    cancel: await orders(open, false),
    approve: await orders(approval),
    reject: await orders(approval),
    confirm_payment: await orders(checkout),
    checkout: await orders(checkout),
  }
  const completed = await Promise.all(Array.from({ length: 3 }, () => order(open, true)))
  const offers = [open, { product_id }, { product_id, max_uses: null }]
  return {
    hashes: (await Promise.all(offers.map(offer => send('/offers', offer)))).map(
      ({ short_hash }) => short_hash,
    ),
    installs: completed.map(({ install_id }) => install_id),
    for: step => byStep[step] ?? completed.map(({ id }) => id),
  }
}
