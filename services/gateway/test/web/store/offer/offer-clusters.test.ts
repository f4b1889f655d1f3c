// The cluster that a customer chooses on the page of an offer: whose it may be, and how it is shown.

import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choose } from '../../console/console-scene.ts'
import { Jar } from '../../cookie-jar.ts'
import { heading, orderButton, press } from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'
import { type Customer, manualPolicy, type OfferScene, price, setOfferScene } from './offer-scene.ts'

let scene: OfferScene
let url: string
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
  url = scene.urls[0]
})
afterAll(() => scene?.stop())

const main = (page: Tab) => page.locator('main').innerText()
const manual = { policy: manualPolicy, offer: { pricing_request: price, max_uses: 9 } }

/** The names of its groups of clusters, and what each has. */
const groupsOf = async (page: Tab) =>
  [...(await page.content()).matchAll(/<optgroup label="([^"]*)">(.*?)<\/optgroup>/gs)].map(
    ([, label, options = '']) => [label, options.replace(/<[^>]*>/g, '')],
  )

/** Sends the form by hand. */
async function send(path: string, customer: Customer, form: Record<string, string>) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(customer))
  const { csrf } = await jar.ask(url + path)
  return jar.ask(url + path, { form: { _csrf: csrf, field_values: '{}', ...form } })
}

const newClusters = (workspace: string | undefined, names: readonly string[]) =>
  Promise.all(names.map(name => scene.newCluster(workspace ?? '', name)))

/** The alert that is shown. */
const alertOf = (html: string) => /role="alert".*?<\/div>/s.exec(html)?.[0] ?? ''

describe('a cluster is chosen', () => {
  test('without JavaScript; the order, its page and the install name it', async () => {
    const customer = await scene.newCustomer()
    const [, south] = await newClusters(customer.workspaces[0], ['eu-north', 'eu-south'])
    const { hash, path, id } = await scene.newOffer(manual)
    const page = await scene.visitPlain(path, customer)
    expect(await page.getByLabel('Cluster').inputValue()).toBe('')
    expect(await page.locator('select[name=cluster] option').allInnerTexts()).toEqual([
      'Decide later',
      'eu-north',
      'eu-south',
    ])
    expect(await page.locator('optgroup').count()).toBe(0)
    await choose(page, 'Cluster', south ?? '')
    await press(page, orderButton)
    const [order] = await scene.orders(hash)
    expect(order).toMatchObject({ state: 'awaiting_approval', cluster_id: south })
    expect(await main(page)).toMatch(/Cluster\s+eu-south/)
    expect((await scene.send('POST', `/orders/${order?.id}/approve`)).status).toBe(200)
    const installs = await scene.stack.sql`select cluster_id from offers.installs where offer_id = ${id}`
    expect(installs).toMatchObject([{ cluster_id: south }])
    const ordered = page.url()
    await page.reload()
    await page.getByRole('link', { name: 'View install' }).click()
    await page.waitForURL(/\/console\/ws_\w+\/installs\/inst_/)
    expect(await heading(page)).toBe('Fast Queues')
    expect(await main(page)).toMatch(/Cluster\s+eu-south/)
    await page.goto(ordered)
    await page.getByRole('link', { name: 'eu-south' }).click()
    await page.waitForURL(new RegExp(`/clusters/${south}$`))
    expect(await heading(page)).toContain('eu-south')
  })

  test('among those of all workspaces, in groups; nobody else’s are listed', async () => {
    const customer = await scene.newCustomer(['Acme', 'Globex', 'Empty'])
    await newClusters(customer.workspaces[0], ['beta 10', 'beta 9'])
    await newClusters(customer.workspaces[1], ['alpha'])
    await newClusters((await scene.newCustomer()).workspaces[0], ['foreign'])
    const page = await scene.visitPlain((await scene.newOffer()).path, customer)
    expect((await groupsOf(page)).sort()).toEqual([
      ['Acme', 'beta 9beta 10'],
      ['Globex', 'alpha'],
    ])
  })

  test('there is no choice for who has no cluster', async () => {
    const { path } = await scene.newOffer()
    for (const customer of [await scene.newCustomer([]), await scene.newCustomer(['Acme', 'Globex'])])
      expect(await main(await scene.visitPlain(path, customer))).not.toMatch(/cluster/i)
  })

  test('clusters of ten workspaces are offered, and the page says that it shows ten', async () => {
    const customer = await scene.newCustomer(Array.from({ length: 11 }, (_, n) => `Team ${n}`))
    await Promise.all(customer.workspaces.map(workspace => scene.newCluster(workspace, 'main')))
    const { path } = await scene.newOffer()
    const page = await scene.visitPlain(path, customer)
    expect(await page.locator('optgroup').count()).toBe(10)
    expect(await main(page)).toContain('Only some of your clusters are listed here.')
    // The workspace that was chosen is always among them.
    const [, workspace = '', name] =
      (await page.content()).match(/<option value="(ws_\w+)">([^<]*)<\/option><\/select>/) ?? []
    const answer = await send(path, customer, { workspace, cluster: 'clus_unknown' })
    expect(answer.text.match(/<optgroup/g)).toHaveLength(10)
    expect(answer.text).toContain(`<optgroup label="${name}"`)
  })
})

test('in the console its customer gets from an order to the install and back, and reads their names', async () => {
  const customer = await scene.newCustomer()
  const [workspace = ''] = customer.workspaces
  const [cluster = ''] = await newClusters(workspace, ['eu-north'])
  const { hash, path, id } = await scene.newOffer()
  expect((await send(path, customer, { workspace, cluster })).status).toBe(303)
  const [order] = await scene.orders(hash)
  const root = `${url}/console/${workspace}`
  const page = await scene.visitPlain(`/console/${workspace}/orders?relation=placed`, customer)
  await page.getByRole('link', { name: 'View install' }).click()
  await page.waitForURL(/\/installs\/inst_/)
  expect(await heading(page)).toBe('Fast Queues')
  expect(await main(page)).toMatch(/Cluster\s+eu-north/)
  const install = page.url()
  await page
    .locator('dl')
    .getByRole('link', { name: /^[0-9A-Z]{4}-[0-9A-Z]{4}$/ })
    .click()
  await page.waitForURL(`${url}/orders/${order?.id}`)
  expect(await heading(page)).toBe('Your install has started')
  // By its id, too: as the customer, and as the seller.
  await page.goto(`${root}/search?q=${order?.id}`)
  expect(page.url()).toBe(`${url}/orders/${order?.id}`)
  await page.goto(`${root}/installs`)
  expect(await main(page)).toMatch(/Fast Queues\s+[0-9A-Z-]{9}\s+Started\s+–\s+View order\s+eu-north/)
  await page.locator('table').getByRole('link', { name: 'Fast Queues' }).click()
  await page.waitForURL(install)

  const seller = await scene.visitPlain('/sessions', { ...scene.stack.dev.owner, id: '' })
  const sold = `${url}/console/${scene.stack.dev.workspace_id}`
  await seller.goto(`${sold}/search?q=${order?.id}`)
  expect(seller.url()).toBe(`${sold}/orders/${order?.id}`)
  await seller.goto(`${sold}/installs?relation=sold&offer_id=${id}`)
  expect(await main(seller)).toMatch(/Fast Queues/)
  // Another workspace's cluster is not theirs to open.
  expect(await seller.locator('table').getByRole('link', { name: cluster }).count()).toBe(0)
  await seller.goto(`${sold}/search?q=order_unknown`)
  expect(await heading(seller)).toBe('Not found')
})

describe('a cluster is refused at its field, and nothing is ordered,', () => {
  test('if it is of another workspace than the one that orders; then the right one is ordered for', async () => {
    const customer = await scene.newCustomer(['Acme', 'Globex'])
    const [first = '', second = ''] = customer.workspaces
    const [own, other] = [await scene.newCluster(first, 'own'), await scene.newCluster(second, 'other')]
    const { hash, path } = await scene.newOffer(manual)
    const page = await scene.visitPlain(path, customer)
    await choose(page, 'Workspace', first)
    await choose(page, 'Cluster', other)
    expect((await press(page, orderButton)).status()).toBe(422)
    const problem = 'This cluster doesn’t belong to Acme. Select one of its clusters, or “Decide later”.'
    expect(await page.getByRole('alert').innerText()).toContain(problem)
    expect(await page.locator('p[id=cluster-problem]').innerText()).toBe(problem)
    const field = page.getByLabel('Cluster')
    expect(await field.getAttribute('aria-describedby')).toBe('cluster-hint cluster-problem')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect([await field.inputValue(), await page.getByLabel('Workspace').inputValue()]).toEqual([
      other,
      first,
    ])
    expect(await scene.orders(hash)).toEqual([])
    // No order stands in the way of the other workspace.
    await choose(page, 'Workspace', second)
    await press(page, orderButton)
    expect(await scene.orders(hash)).toMatchObject([{ customer_workspace_id: second, cluster_id: other }])
    expect(own).not.toBe(other)
  })

  test('if somebody else’s id is sent by hand: as of one that does not exist', async () => {
    const victim = await scene.newCustomer()
    const [foreign = ''] = await newClusters(victim.workspaces[0], ['Top secret'])
    const customer = await scene.newCustomer()
    await newClusters(customer.workspaces[0], ['own'])
    const { hash, path } = await scene.newOffer()
    const answers = await Promise.all(
      [
        foreign,
        'clus_unknown',
        'clus_',
        'x',
        '"><script>',
        `clus_${'x'.repeat(500)}`,
        customer.workspaces[0] ?? '',
      ].map(async cluster => {
        const { status, text } = await send(path, customer, {
          workspace: customer.workspaces[0] ?? '',
          cluster,
        })
        expect(text).toContain('<p class="problem long" id="cluster-problem">')
        expect(text).not.toContain('Top secret')
        expect(text).not.toContain('"><script>')
        return `${status} ${alertOf(text)}`
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^422 .*<a href="#cluster">This cluster doesn’t belong to Acme/s)
    expect(await scene.orders(hash)).toEqual([])
  })

  test('or above the form, if there is no field, as for who has no cluster', async () => {
    const victim = await scene.newCustomer()
    const [cluster = ''] = await newClusters(victim.workspaces[0], ['foreign'])
    const customer = await scene.newCustomer()
    const { hash, path } = await scene.newOffer()
    const { status, text } = await send(path, customer, { workspace: customer.workspaces[0] ?? '', cluster })
    expect(status).toBe(422)
    expect(alertOf(text)).toContain('This cluster doesn’t belong to')
    expect(alertOf(text)).not.toContain('href')
    expect(await scene.orders(hash)).toEqual([])
  })

  test('if it is deleted at that moment: the order waits for another choice', async () => {
    const customer = await scene.newCustomer()
    const [workspace = ''] = customer.workspaces
    const [gone = '', there = ''] = await newClusters(workspace, ['gone', 'there'])
    const { hash, path } = await scene.newOffer()
    // As compute does before it removes a cluster.
    await scene.stack.sql`select from offers.close_cluster(${workspace}, ${gone})`
    const { status, text } = await send(path, customer, { workspace, cluster: gone })
    expect(status).toBe(422)
    expect(text).toContain('<p class="problem long" id="cluster-problem">')
    expect(await scene.orders(hash)).toMatchObject([{ state: 'open', cluster_id: null }])
    expect((await send(path, customer, { workspace, cluster: there })).status).toBe(303)
    expect(await scene.orders(hash)).toMatchObject([{ state: 'completed', cluster_id: there }])
  })
})

test('hostile names stay names: in the list, and on the page of the order', async () => {
  const customer = await scene.newCustomer()
  const names = [
    '</option></select><script>alert(1)</script>',
    '" onfocus="alert(1)',
    'evil\u202egnp.exe',
    'two\nlines\u2028three',
    '\u200b\u2060\u00ad',
    'twin',
    'tw\u202ain',
    ' twin ',
    '名前 🚀',
  ]
  const ids = await newClusters(
    customer.workspaces[0],
    names.map(() => 'Older than the rules'),
  )
  for (const [at, name] of names.entries())
    await scene.stack.sql`update compute.clusters set name = ${name} where id = ${ids[at] ?? ''}`
  const { hash, path } = await scene.newOffer(manual)
  const { page, complaints } = await scene.visit(path, customer)
  const shown = await page
    .locator('select[name=cluster] option')
    .evaluateAll(all =>
      Object.fromEntries((all as HTMLOptionElement[]).map(({ value, text }) => [value, text])),
    )
  expect(names.map((_, at) => shown[ids[at] ?? ''])).toEqual([
    names[0],
    names[1],
    'evil gnp.exe',
    'two lines three',
    ids[4],
    `twin (${ids[5]})`,
    'tw in',
    `twin (${ids[7]})`,
    names[8],
  ])
  await page.getByLabel('Cluster').selectOption(ids[0] ?? '')
  await press(page, orderButton)
  expect(await scene.orders(hash)).toMatchObject([{ cluster_id: ids[0] }])
  expect(await page.getByRole('link', { name: names[0] ?? '' }).innerText()).toBe(names[0])
  expect(complaints).toEqual([])
})

test('a cluster that was deleted since is said to be, on the page of the order', async () => {
  const customer = await scene.newCustomer()
  const [cluster = ''] = await newClusters(customer.workspaces[0], ['short-lived'])
  const { path } = await scene.newOffer(manual)
  const page = await scene.visitPlain(path, customer)
  await choose(page, 'Cluster', cluster)
  await press(page, orderButton)
  await scene.stack.sql`delete from compute.clusters where id = ${cluster}`
  await page.reload()
  expect(await main(page)).toContain(`${cluster} (deleted)`)
})
