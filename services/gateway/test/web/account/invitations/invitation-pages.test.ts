// From the mail of an invitation to the workspace, and what the page of an offer preselects. Without JavaScript.
import { waitUntil } from '@svc/local/wait-until'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { sender } from '@svc/testing/stack/driven-stack'
import { Jar } from '../../cookie-jar.ts'
import { type Customer, setOfferScene } from '../../store/offer/offer-scene.ts'
import { heading, press, replaceValue, signIn, orderButton } from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'

const scene = forFile(setOfferScene)
let url: string
beforeAll(async () => {
  url = scene.urls[0]
})

const main = (page: Tab) => page.locator('main').innerText()
const newAddress = async () => `${(await scene.newPerson()).id.slice(-12)}.invited@people.example`

/** Someone's workspace, and an invitation to it. */
async function invite(email: string, name = 'Acme') {
  const owner = await scene.newCustomer([])
  const token = await scene.openSession(owner)
  const send = sender<{ id: string }>(`${url}/v1`)
  const post = async (path: string, body: object) => (await send('POST', path, token, { body })).id
  const workspace = await post('/workspaces', { name })
  return { owner, workspace, id: await post(`/workspaces/${workspace}/members`, { email, role: 'admin' }) }
}
const rolesOf = async ({ id }: Pick<Customer, 'id'>) => {
  const rows = await scene.stack.sql`
    select workspace_id, role from auth_tokens.memberships where user_id = ${id}`
  return Object.fromEntries(rows.map(({ workspace_id, role }) => [workspace_id, role]))
}

describe('an invitation', () => {
  test('is shown with its owner, and accepted', async () => {
    const customer = await scene.newCustomer([])
    const { owner, workspace } = await invite(customer.email, 'Lovelace & Co')
    const page = await scene.visitPlain('/invitations')
    expect(page.url()).toContain('/sign-in')
    await signIn(page, customer)
    expect(page.url()).toBe(`${url}/invitations`)
    expect(await heading(page)).toBe('Your invitations')
    for (const text of ['Lovelace & Co', owner.email, 'admin']) expect(await main(page)).toContain(text)
    await press(page, 'Accept')
    expect(page.url()).toBe(`${url}/console/${workspace}?notice=joined`)
    expect(await page.getByRole('status').innerText()).toBe('You joined Lovelace & Co as an admin.')
    await page.goto(`${url}/invitations`)
    expect(await main(page)).toContain('You have no pending invitations.')
    expect(await rolesOf(customer)).toEqual({ [workspace]: 'admin' })
  })

  test('is declined', async () => {
    const customer = await scene.newCustomer([])
    await invite(customer.email)
    const page = await scene.visitPlain('/invitations', customer)
    await press(page, 'Decline')
    expect(await page.getByRole('status').innerText()).toContain('Invitation declined.')
    expect(await rolesOf(customer)).toEqual({})
  })

  test('to a workspace that is full stays open', async () => {
    const customer = await scene.newCustomer([])
    const { workspace } = await invite(customer.email)
    await scene.stack.sql`
      insert into auth_tokens.quota_limits (quota, workspace_id, most) values ('members', ${workspace}, 1)`
    const page = await scene.visitPlain('/invitations', customer)
    await press(page, 'Accept')
    expect(await page.getByRole('status').innerText()).toContain('reached its maximum number of members')
    expect(await rolesOf(customer)).toEqual({})
    await scene.stack.sql`update auth_tokens.quota_limits set most = 2 where workspace_id = ${workspace}`
    await press(page, 'Accept')
    expect(await rolesOf(customer)).toEqual({ [workspace]: 'admin' })
  })

  test('an invitation of someone else, or one revoked meanwhile, changes nothing', async () => {
    const customer = await scene.newCustomer([])
    const { id } = await invite(customer.email)
    const other = await scene.newCustomer([])
    const { id: foreign } = await invite(other.email)
    const page = await scene.visitPlain('/invitations', customer)
    await replaceValue(page.locator('form[action="/invitations/accept"] input[name="id"]'), foreign)
    await press(page, 'Accept')
    expect(await page.getByRole('status').innerText()).toContain('Nothing was changed.')
    await scene.stack.sql`update auth_tokens.invitations set revoked_at = now() where id = ${id}`
    await press(page, 'Accept')
    expect(await page.getByRole('status').innerText()).toContain('Nothing was changed.')
    expect([await rolesOf(customer), await rolesOf(other)]).toEqual([{}, {}])
  })

  test('leads a person without an account from the mail to a password and then the page, which does not accept by itself', async () => {
    const email = await newAddress()
    const { workspace } = await invite(email)
    const link = () =>
      /\/verify\?token=\w{32}&return_to=\/invitations/.exec(
        scene.stack.lines.find(line => line.includes(`"to":"${email}"`)) ?? '',
      )
    await waitUntil('the message', () => link() !== null)
    const page = await scene.visitPlain(link()?.[0] ?? '')
    await page.getByLabel('New password').fill('short')
    await press(page, 'Save and sign in')
    await page.getByLabel('New password').fill('a sentence with enough letters')
    await press(page, 'Save and sign in')
    expect(page.url()).toBe(`${url}/invitations`)
    const [user] = await scene.stack.sql<{ id: string }[]>`
      select id from auth_tokens.users where email = ${email}`
    const person = { id: user?.id ?? '' }
    expect(await rolesOf(person)).toEqual({})
    await press(page, 'Accept')
    expect(await rolesOf(person)).toEqual({ [workspace]: 'admin' })
  })
})

describe('the page of an offer', () => {
  const selected = (page: Tab) => page.locator('select[name="workspace"]').inputValue()

  test('preselects the oldest workspace, and shows no other before its invitation is accepted', async () => {
    const customer = await scene.newCustomer(['First', 'Second'])
    const { hash, path } = await scene.newOffer()
    const page = await scene.visitPlain(path, customer)
    const first = await selected(page)
    expect(await page.locator(`option[value="${first}"]`).innerText()).toContain('First')
    const { id, owner } = await invite(customer.email, 'Accepted')
    await page.goto(url + path)
    expect(await page.content()).not.toContain('Accepted')
    const token = await scene.openSession(customer)
    const headers = { authorization: `Bearer ${token}` }
    const accepted = await fetch(`${url}/v1/invitations/${id}/accept`, { method: 'POST', headers })
    expect(accepted.status).toBe(200)
    await page.goto(url + path)
    expect(await selected(page)).toBe(first)
    expect(await page.content()).toContain(`Accepted (owner: ${owner.email})`)
    await press(page, orderButton)
    expect(await scene.orders(hash)).toMatchObject([{ customer_workspace_id: first }])
  })

  test('orders for the workspace that it showed or not at all', async () => {
    const customer = await scene.newCustomer(['Shown'])
    const { hash, path } = await scene.newOffer()
    const page = await scene.visitPlain(path, customer)
    expect(await main(page)).toContain('Ordering for Shown')
    const { workspace } = await invite(customer.email, 'Another')
    await scene.stack.sql`
      update auth_tokens.memberships set workspace_id = ${workspace} where user_id = ${customer.id}`
    expect((await press(page, orderButton)).status()).toBe(422)
    expect(await scene.orders(hash)).toEqual([])
  })

  test('with a name for a new workspace does not order for one that was joined since', async () => {
    const customer = await scene.newCustomer([])
    const { hash, path } = await scene.newOffer()
    const page = await scene.visitPlain(path, customer)
    const { id, workspace } = await invite(customer.email, 'Mine')
    const token = await scene.openSession(customer)
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${url}/v1/invitations/${id}/accept`, { method: 'POST', headers })
    await page.getByLabel('Workspace name').fill('Mine')
    expect((await press(page, orderButton)).status()).toBe(422)
    expect(await main(page)).toMatch(/Ordering for Mine \(owner: /)
    expect(await scene.orders(hash)).toEqual([])
    await press(page, orderButton)
    expect(await scene.orders(hash)).toMatchObject([{ customer_workspace_id: workspace }])
  })
})

test('a person who has begun an order finds its workspace selected, and cannot create a second order for another', async () => {
  const customer = await scene.newCustomer(['First', 'Second'])
  const [first = '', second = ''] = customer.workspaces
  const { hash, path } = await scene.newOffer({ offer: { max_uses: 5 } })
  const token = await scene.openSession(customer)
  const headers = { authorization: `Bearer ${token}`, 'svc-context': second }
  const begun = await fetch(`${url}/v1/i/${hash}/orders`, { method: 'POST', headers })
  expect(begun.status).toBe(201)
  const page = await scene.visitPlain(path, customer)
  expect(await page.locator('select[name="workspace"]').inputValue()).toBe(second)
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(customer))
  const { csrf } = await jar.ask(url + path)
  const sent = { _csrf: csrf, field_values: '{}', workspace: first }
  const refused = await jar.ask(url + path, { form: sent, headers: { origin: url } })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain(
    'You already have an order from this offer in progress for another workspace',
  )
  expect(await scene.orders(hash)).toMatchObject([{ state: 'open', customer_workspace_id: second }])
  await press(page, orderButton)
  expect(await scene.orders(hash)).toMatchObject([{ state: 'completed' }])
})
