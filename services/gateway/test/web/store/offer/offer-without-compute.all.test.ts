// While compute is frozen, which is worse than away, offers are read and ordered all the same.
// In `npm test`: offer-clusters.test.ts.

import { waitUntil } from '@svc/local/wait-until'
import { type TestStack, startTestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Jar } from '../../cookie-jar.ts'
import { type Customer, type OfferScene, setOfferScene } from './offer-scene.ts'

let running: TestStack
let scene: OfferScene
beforeAll(async () => {
  scene = await setOfferScene(async () => {
    running = await startTestStack()
    return running
  })
})
afterAll(() => scene?.stop())

const signal = (name: NodeJS.Signals) => {
  for (const replica of running.stack.processes.compute) replica.kill(name)
}

async function whileFrozen<Result>(act: () => Promise<Result>): Promise<Result> {
  signal('SIGSTOP')
  try {
    return await act()
  } finally {
    signal('SIGCONT')
    // The bus drops whoever is frozen for long.
    await waitUntil('compute to answer again', computeAnswers)
  }
}

async function computeAnswers() {
  const { owner, workspace_id, base_url } = running.dev
  const headers = { authorization: `Bearer ${owner.session_token}`, 'svc-context': workspace_id }
  return (await fetch(`${base_url}/clusters`, { headers })).status === 200
}

async function jarOf(customer: Customer) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(customer))
  return (path: string, form?: Record<string, string>) => jar.ask(scene.urls[0] + path, { form })
}

const none = 'We can’t list your clusters right now.'

test('the page is there without the choice; a cluster cannot be ordered for, and none can', async () => {
  const workspaces = Array.from({ length: 12 }, (_, n) => `Team ${n}`)
  const customer = await scene.newCustomer(workspaces)
  const [workspace = ''] = customer.workspaces
  const cluster = await scene.newCluster(workspace, 'eu-north')
  const { hash, path } = await scene.newOffer()
  const ask = await jarOf(customer)
  const { csrf, text } = await ask(path)
  expect(text).toContain('eu-north')
  const form = { _csrf: csrf, field_values: '{}', workspace }
  await whileFrozen(async () => {
    const page = await ask(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain(none)
    expect(page.text).not.toContain('<select id="cluster"')

    const refused = await ask(path, { ...form, cluster })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('We can’t check this cluster right now, so nothing was ordered.')
    expect(await scene.orders(hash)).toEqual([])

    expect((await ask(path, { ...form, cluster: '' })).status).toBe(303)
    expect(await scene.orders(hash)).toMatchObject([{ state: 'completed', cluster_id: null }])
  })
})

test('the page of an order shows the id of its cluster, until it can be named', async () => {
  const customer = await scene.newCustomer()
  const [workspace = ''] = customer.workspaces
  const cluster = await scene.newCluster(workspace, 'eu-north')
  const { path } = await scene.newOffer()
  const ask = await jarOf(customer)
  const { csrf } = await ask(path)
  const { headers } = await ask(path, { _csrf: csrf, field_values: '{}', workspace, cluster })
  const order = headers.get('location') ?? ''
  const link = `<a href="/console/${workspace}/clusters/${cluster}">`
  const frozen = await whileFrozen(() => ask(order))
  expect([frozen.status, frozen.text.includes(`${link}<code>${cluster}</code></a>`)]).toEqual([200, true])
  expect((await ask(order)).text).toContain(`${link}eu-north</a>`)
})

test('the home page of the console is there, and says that it does not know all that needs attention', async () => {
  const customer = await scene.newCustomer()
  const [workspace = ''] = customer.workspaces
  await running.sql`update auth_tokens.memberships set role = 'admin' where user_id = ${customer.id}`
  const ask = await jarOf(customer)
  const home = () => ask(`/console/${workspace}`)
  const unknown = 'Part of this can’t be loaded right now.'
  expect((await home()).text).toContain('You’re all caught up')
  const { status, text } = await whileFrozen(home)
  expect(status).toBe(200)
  expect(text).toContain(unknown)
  expect(text).not.toContain('You’re all caught up')
  expect((await home()).text).not.toContain(unknown)
})

test('a form of the console that is not answered is there again, and creates one when it is sent again', async () => {
  const customer = await scene.newCustomer()
  const [workspace = ''] = customer.workspaces
  await running.sql`update auth_tokens.memberships set role = 'admin' where user_id = ${customer.id}`
  const ask = await jarOf(customer)
  const path = `/console/${workspace}/clusters/new`
  const { csrf, text } = await ask(path)
  const [, key = ''] = /name="key" value="([^"]+)"/.exec(text) ?? []
  const form = { _csrf: csrf, key, name: 'eu-west' }
  const [unanswered, list] = await whileFrozen(() =>
    Promise.all([ask(path, form), ask(`/console/${workspace}/clusters`)]),
  )
  expect(unanswered.status).toBe(504)
  expect(unanswered.text).toContain('We can’t tell whether this went through.')
  expect(unanswered.text).toContain('value="eu-west"')
  expect(unanswered.text).toContain(`name="key" value="${key}"`)
  expect(list.status).toBe(504)
  expect(list.text).toContain('Wait a few seconds, then reload the page.')
  expect(list.text).toContain(`href="/console/${workspace}/offers"`)
  expect((await ask(path, form)).status).toBe(303)
  // What shows the form again needs the service, too: then it can be sent again as it is.
  const [{ id = '' } = {}] = await running.sql<{ id: string }[]>`
      select id from compute.clusters where workspace_id = ${workspace}`
  const rename = `/console/${workspace}/clusters/${id}/rename`
  const lost = await whileFrozen(() => ask(rename, { _csrf: csrf, name: 'eu-<b>north' }))
  expect(lost.status).toBe(504)
  expect(lost.text).toContain('We can’t tell whether this went through. Check before you try again.')
  expect(lost.text).toContain('<input type="hidden" name="name" value="eu-&lt;b>north"')
  expect(lost.text).toContain(`method="post" action="${rename}"`)
  expect(await running.sql`select name from compute.clusters where workspace_id = ${workspace}`).toHaveLength(
    1,
  )
})
