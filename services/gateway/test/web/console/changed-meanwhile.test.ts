import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { readMarkup } from '../markup.ts'
import { paidPolicy } from '../store/offer/offer-scene.ts'
import { type Filled, fillWorkspace } from './one-of-each.ts'
import { setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)
let filled: Filled
let jar: Jar
beforeAll(async () => {
  filled = await fillWorkspace(scene)
  jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(filled.people.owner))
})

/** The page, and its form as a browser would send it back. */
async function open(path: string) {
  const address = scene.urls[0] + filled.root + path
  const { text } = await jar.ask(address)
  const hidden = [...readMarkup(text).all()].filter(each => each.getAttribute('type') === 'hidden')
  const form = Object.fromEntries(
    hidden.map(each => [each.getAttribute('name'), each.getAttribute('value') ?? '']),
  )
  return (values: Record<string, string>, action = address) =>
    jar.ask(action, { form: { ...form, ...values } })
}

test('a channel that somebody switched off stays off when another one saves its name', async () => {
  const { channel } = filled.ids
  const send = await open(`/catalogue/channels/${channel}/edit`)
  await filled.send('PATCH', `/offer_channels/${channel}`, { status: 'inactive' })
  expect((await send({ name: 'Shop', status: 'active' })).status).toBe(303)
  const now = await filled.send('GET', `/offer_channels/${channel}`)
  expect(now).toMatchObject({ name: 'Shop', status: 'inactive' })
  await filled.send('PATCH', `/offer_channels/${channel}`, { status: 'active', name: 'Web' })
})

test('an offer that somebody corrected meanwhile shows their changes, and the second save adds its own', async () => {
  const { offer } = filled.ids
  const address = `${scene.urls[0]}${filled.root}/offers/${offer}/edit`
  const save = (form: object, change: object = {}) => jar.ask(address, { form: { ...form, ...change } })
  const before = await filled.send('GET', `/offers/${offer}`)
  const form = formOf((await jar.ask(address)).text)
  expect((await save(form, { notes: 'Theirs.' })).status).toBe(303)
  const refused = await save(form, { internal_note: 'Mine.' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('(Message to customer)')
  expect((await save(formOf(refused.text))).status).toBe(303)
  expect(withoutEtag(await filled.send('GET', `/offers/${offer}`))).toEqual({
    ...withoutEtag(before),
    notes: 'Theirs.',
    internal_note: 'Mine.',
  })
  expect(
    (await save(formOf((await jar.ask(address)).text), { customer_name: '', customer_id: '' })).status,
  ).toBe(303)
  expect(await filled.send('GET', `/offers/${offer}`)).toMatchObject({ customer: null, notes: 'Theirs.' })
})

const withoutEtag = ({ etag: _, ...offer }: Record<string, unknown>) => offer

/** Its fields as they are shown. */
const formOf = (text: string) =>
  Object.fromEntries(
    [...readMarkup(text).all()].flatMap(each => {
      const name = each.getAttribute('name')
      if (!name || (each.tag !== 'input' && each.tag !== 'textarea')) return []
      return [[name, each.getAttribute('value') ?? each.children.join('').replace(/^\n/, '')]]
    }),
  )

test('an offer is not made from a version other than the one whose fields were filled in', async () => {
  const { product, package: pkg, version } = filled.ids
  const send = await open(`/offers/new?product_id=${product}`)
  const other = {
    type: 'object',
    properties: {
      api_url: { type: 'string', title: 'Address' },
      seats: { type: 'string' },
      region: { type: 'string', enum: ['us', 'asia'] },
      beta: { type: 'boolean' },
      key: { type: 'string' },
      ratio: { type: 'number' },
    },
  }
  const next = await filled.send('POST', `/packages/${pkg}/versions`, {
    version: '2.0.0',
    input_schema: other,
  })
  await filled.send('PATCH', `/products/${product}`, { current_package_version_id: next.id })
  const before = await offersNow()
  // Company, region, seats, ratio, beta, key, tags: as `one-of-each.ts` has them.
  const typed = ['Globex', 'eu', '77', '0.5', 'true', 'hunter2-hunter2', 'red\r\nblue']
  const values = { max_uses: '1', order_ttl_minutes: '120', notes: 'Kept', commercial_mode: '' }
  const refused = await send({
    ...values,
    ...Object.fromEntries(typed.map((text, at) => [`value.${at}`, text])),
    'lock.0': 'on',
    'lock.3': 'on',
  })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('changed while you were editing')
  // Nothing is in another property than the one that it was typed for, and no secret in one that is shown.
  const fields = [...readMarkup(refused.text).all()].filter(each =>
    /^value\./.test(each.getAttribute('name') ?? ''),
  )
  const shown = fields.map(each => {
    const chosen = [...each.all()].find(({ attributes }) => attributes.has('selected'))
    return (chosen ?? each).getAttribute('value') ?? each.children.join('')
  })
  expect(shown).toEqual(['', '', '', 'true', '', '0.5'])
  expect(refused.text).toMatch(/id="lock\.5"[^>]* checked/)
  expect(refused.text).not.toMatch(/id="lock\.[0-4]"[^>]* checked/)
  expect(refused.text).toContain('were cleared: Company, Region, Seats, Key, Tags.')
  for (const text of ['Globex', 'hunter2']) expect(refused.text).not.toContain(text)
  expect(refused.text).toContain('>Kept<')
  expect(await offersNow()).toEqual(before)
  await filled.send('PATCH', `/products/${product}`, { current_package_version_id: version })
})

const offersNow = async () =>
  ((await filled.send('GET', '/offers?limit=100')) as unknown as { data: object[] }).data.length

test('a lock without a value is a problem at its field', async () => {
  const send = await open(`/offers/new?product_id=${filled.ids.product}`)
  const refused = await send({ max_uses: '1', order_ttl_minutes: '120', commercial_mode: '', 'lock.0': 'on' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Enter a value to lock, or clear the checkbox.')
})

test('a token that was rotated meanwhile is not rotated again by a form that does not know', async () => {
  const { id } = await filled.send('POST', '/api_tokens', { name: 'twice' })
  const send = await open(`/tokens/${id}/rotate`)
  const first = await send({ grace_seconds: '3600' })
  expect(first.text).toContain('sk_svc_')
  const second = await send({ grace_seconds: '3600' })
  expect(second.status).toBe(409)
  expect(second.text).not.toContain('sk_svc_')
  expect(second.text).toContain('was rotated while you had this form open')
})

test('a policy is not activated over one that was not compared with it', async () => {
  const { channel } = filled.ids
  const policies = `/offer_channels/${channel}/policies`
  const path = `/catalogue/channels/${channel}/policies/2`
  const send = await open(path)
  await filled.send('POST', policies, { policy: { ...paidPolicy, support: 'None' }, activate: true })
  const activate = `${scene.urls[0]}${filled.root}${path}/activate`
  const answer = await send({}, activate)
  expect(answer.headers.get('location')).toContain(`${path}?notice=compared`)
  expect(await filled.send('GET', `/offer_channels/${channel}`)).toMatchObject({ active_policy: 3 })
  expect((await (await open(path))({}, activate)).status).toBe(303)
  expect(await filled.send('GET', `/offer_channels/${channel}`)).toMatchObject({ active_policy: 2 })
})
