// Forms of the console whose ground has changed since they were opened: nothing of others is undone, and nothing ends up elsewhere.
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Jar } from '../pages/cookie-jar.ts'
import { paidPolicy, type OfferScene, setOfferScene } from '../pages/offer/offer-scene.ts'
import { type Filled, fillWorkspace } from './one-of-each.ts'

let scene: OfferScene
let filled: Filled
let jar: Jar
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
  filled = await fillWorkspace(scene)
  jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(filled.people.owner))
})
afterAll(() => scene?.stop())

/** The page, and its form as a browser would send it back. */
async function open(path: string) {
  const address = scene.urls[0] + filled.root + path
  const { text } = await jar.ask(address)
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const form = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
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

test('an offer is not made from a version other than the one whose fields were filled in', async () => {
  const { product, package: pkg, version } = filled.ids
  const send = await open(`/offers/new?product_id=${product}`)
  const other = { type: 'object', properties: { api_url: { type: 'string', title: 'Address' } } }
  const next = await filled.send('POST', `/packages/${pkg}/versions`, {
    version: '2.0.0',
    input_schema: other,
  })
  await filled.send('PATCH', `/products/${product}`, { current_package_version_id: next.id })
  const before = await offersNow()
  const values = { max_uses: '1', order_ttl_minutes: '120', 'value.0': 'Globex', commercial_mode: '' }
  const refused = await send(values)
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('has changed since you opened this form')
  expect(refused.text).toContain('Address')
  expect(refused.text).not.toContain('value="Globex"')
  expect(await offersNow()).toEqual(before)
  await filled.send('PATCH', `/products/${product}`, { current_package_version_id: version })
})

const offersNow = async () =>
  ((await filled.send('GET', '/offers?limit=100')) as unknown as { data: object[] }).data.length

test('a lock without a value is a problem at its field', async () => {
  const send = await open(`/offers/new?product_id=${filled.ids.product}`)
  const refused = await send({ max_uses: '1', order_ttl_minutes: '120', commercial_mode: '', 'lock.0': 'on' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Fill in the value that is to be locked.')
})

test('a token that was rotated meanwhile is not rotated again by a form that does not know', async () => {
  const { id } = await filled.send('POST', '/api_tokens', { name: 'twice' })
  const send = await open(`/tokens/${id}/rotate`)
  const first = await send({ grace_seconds: '3600' })
  expect(first.text).toContain('sk_svc_')
  const second = await send({ grace_seconds: '3600' })
  expect(second.status).toBe(409)
  expect(second.text).not.toContain('sk_svc_')
  expect(second.text).toContain('has been rotated since you opened the form')
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
