import { describe, expect, test } from 'vitest'
import { cliScene, rowsOf } from './cli-scene.ts'
import { svc } from './svc-here.ts'

const scene = cliScene()
const { owner, json, api } = scene

const details = async (args: readonly string[], input?: string) => {
  const { code, out, err } = await svc(args, owner(), input)
  return { code, err, ...Object.fromEntries(rowsOf(out)) } as Record<string, string | number | undefined>
}

/** An offer for anybody, and the hash of its link. */
const newOffer = async (...more: string[]): Promise<string> =>
  (await json(['offers', 'create', '--product', scene.dev.product_id, ...more])).short_hash

describe('a customer', () => {
  test('sees an offer, orders, submits and has an install, whose credential reads its values', async () => {
    const hash = await newOffer('--notes', 'Welcome.')
    expect(await details(['offers', 'resolve', hash])).toMatchObject({
      code: 0,
      seller: 'Demo',
      notes: 'Welcome.',
    })
    expect(await json(['offers', 'resolve', hash])).toEqual(await api(`/i/${hash}`))

    const { id, state } = await details(['orders', 'create', hash])
    expect(state).toBe('open')
    expect(await json(['orders', 'create', hash])).toMatchObject({ id })
    const submit = ['orders', 'submit', String(id), '--file', '-', '--field', 'region=eu']
    const submitted = await json(submit, owner(), '{"region":"us","company":"Acme"}')
    expect(submitted).toMatchObject({ state: 'completed', field_values: { region: 'eu', company: 'Acme' } })

    const install = ['installs', 'get', submitted.install_id]
    expect(await json(install)).toEqual(await api(`/installs/${submitted.install_id}`))
    expect(await details(install)).toMatchObject({ state: 'started', order_id: id, removed_at: '-' })
    const created = await svc(['installs', 'create-credential', submitted.install_id], owner())
    expect(created).toMatchObject({ code: 0, err: 'Copy the credential now: it won’t be shown again.\n' })
    const headers = { 'svc-install-credential': created.out.trim() }
    const values = await fetch(`${scene.dev.base_url}/installs/${submitted.install_id}/field_values`, {
      headers,
    })
    expect(await values.json()).toMatchObject({ field_values: { region: 'eu', company: 'Acme' } })
    expect(await details(['installs', 'remove', submitted.install_id, '--yes'])).toMatchObject({
      state: 'removed',
    })
  })

  test('a customer who is not entitled sees only the name', async () => {
    const hash = await newOffer('--allow-email', 'somebody.else@example.com')
    const shown = await details(['offers', 'resolve', hash])
    expect(shown).toMatchObject({ code: 0, state: '-', notes: '-' })
    expect(shown.err).toBe('You are not entitled to order from it.\n')
  })

  test('what is missing is refused with its field', async () => {
    const { id } = await json(['orders', 'create', await newOffer()])
    const refused = await svc(['orders', 'submit', id], owner())
    expect(refused).toMatchObject({ code: 8, err: expect.stringContaining('field: field_values') })
    expect(await svc(['orders', 'submit', id, '--field', 'eu'], owner())).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give it as name=value.'),
    })
    expect((await json(['orders', 'cancel', id, '--yes'])).state).toBe('cancelled')
  })

  test('starts the payment of an order that is to be paid', async () => {
    const product = scene.dev.product_id
    const { id: channel } = await json(['channels', 'create', '--product', product, '--name', 'paid'])
    const policy = {
      approval: 'automatic',
      checkout: 'required',
      pricing: { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 900 },
      allow_non_billable_test: false,
    }
    const publish = ['channels', 'policies', 'publish', channel, '--policy', '-', '--activate']
    await json(publish, owner(), JSON.stringify(policy))
    const { id } = await json(['orders', 'create', await newOffer('--channel', channel)])
    expect((await svc(['orders', 'checkout', id], owner())).code).toBe(5)
    const submit = ['orders', 'submit', id, '--field', 'region=eu', '--field', 'company=Acme']
    expect(await json(submit)).toMatchObject({ state: 'awaiting_checkout' })
    expect(await svc(['orders', 'checkout', id], owner())).toEqual({
      code: 0,
      out: 'provider\tmanual\nurl\t-\n',
      err: 'The seller confirms the payment.\n',
    })
  })
})
