import { addEvents } from '@svc/testing/add-events'
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { beforeAll, expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { type Element, readMarkup } from '../markup.ts'
import { newCatalogue, newChannel, type Seat, setConsoleScene } from './console-scene.ts'
import { manualPolicy } from '../store/offer/offer-scene.ts'

const scene = forFile(setConsoleScene)
let seat: Seat
let jar: Jar
beforeAll(async () => {
  seat = await scene.newOwner()
  jar = await newJar(seat)
})

async function newJar({ person }: Seat) {
  const opened = new Jar()
  opened.cookies.set('__Host-svc_session', await scene.openSession(person))
  return opened
}

/** Bytes of a page of a hundred rows, before compression. */
const mostBytes = 250_000

const linkNamed = (all: readonly Element[], name: string) =>
  all.find(one => one.tag === 'a' && one.innerText === name)?.getAttribute('href')

/** Goes from the first page to the last one. The rows are what the pattern finds. */
async function readAll(path: string, row: RegExp) {
  const rows: string[] = []
  const filters = [...new URL(path, scene.urls[0]).searchParams]
  let next: string | null | undefined = new URL(seat.root).pathname + path
  let pages = 0
  for (; next; pages++) {
    const { text, status } = await jar.ask(scene.urls[0] + next)
    expect(status).toBe(200)
    expect(text.length).toBeLessThan(mostBytes)
    const all = [...readMarkup(text).all()]
    rows.push(...new Set(text.match(row) ?? []))
    const newest = linkNamed(all, 'First page')
    if (pages === 0) expect(newest).toBeUndefined()
    else expect(newest).toBe(new URL(seat.root).pathname + path)
    next = linkNamed(all, 'Next page')
    if (!next) break
    const query = new URL(next, scene.urls[0]).searchParams
    for (const [name, value] of filters) expect(query.get(name)).toBe(value)
  }
  expect(new Set(rows).size).toBe(rows.length)
  return { rows, pages: pages + 1 }
}

test('hundreds of offers, with filters kept in the address', async () => {
  const count = sized(300, 1000)
  const { product_id, version_id } = await newCatalogue(seat)
  const { id } = await seat.send('POST', '/offers', { product_id })
  const prefix = id.slice(0, -8)
  const own = seat.workspace.slice(-14)
  await scene.stack.sql`
    insert into offers.offers (id, workspace_id, short_hash, product_id, package_version_id, allowed_emails,
      field_values, terms, max_uses, order_ttl_minutes, created_by, created_at, expires_at)
    select ${prefix} || lpad(n::text, 8, '0'), ${seat.workspace}, ${own} || n, ${product_id}, ${version_id}, '{}', '{}',
      (select terms from offers.offers where id = ${id}), 1, 120, '{"kind":"internal","id":"test"}', now(),
      case when n % 10 = 0 then 1 end
    from generate_series(1, ${count}) n`
  const offers = /\/offers\/offer_\w{26}(?=">)/g
  const all = await readAll('/offers?limit=100', offers)
  expect(all.rows.length).toBe(count + 1)
  expect(all.pages).toBeLessThanOrEqual(count / 100 + 2)
  // From the last page back to the first one, by links.
  const back: string[] = []
  const root = new URL(seat.root).pathname
  let previous: string | null | undefined = `${root}/offers?limit=100&order=asc`
  const first = [...readMarkup((await jar.ask(`${seat.root}/offers?limit=100`)).text).all()]
  expect(linkNamed(first, 'Last page')).toBe(previous)
  while (previous) {
    const { text } = await jar.ask(scene.urls[0] + previous)
    back.unshift(...new Set(text.match(offers) ?? []))
    const links = [...readMarkup(text).all()]
    if (back.length > 100) {
      const next = linkNamed(links, 'Next page') ?? ''
      const after = [...new Set((await jar.ask(scene.urls[0] + next)).text.match(offers) ?? [])]
      const here = new Set(text.match(offers)).size
      expect(after).toEqual(back.slice(here, here + after.length))
    } else expect(linkNamed(links, 'Next page')).toBeUndefined()
    previous = linkNamed(links, 'Previous page')
  }
  expect(back).toEqual(all.rows)
  const csv = (await jar.ask(`${seat.root}/offers.csv?state=expired&product_id=${product_id}`)).text
  expect(csv.split('\r\n').length).toBe(1 + count / 10 + 1)
  const expired = await readAll(`/offers?state=expired&product_id=${product_id}&limit=20`, offers)
  expect(expired.rows.length).toBe(count / 10)
})

const addTokens = ({ workspace }: Seat, count: number) => scene.stack.sql`
  insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at)
  select 'tok_7' || right(${workspace}, 21) || lpad(n::text, 4, '0'), ${workspace}, 'token ' || n,
    sha256((${workspace} || n)::bytea), 'hint', now() from generate_series(1, ${count}::int) n`

test('as many tokens as there may be', async () => {
  await addTokens(seat, 500)
  const { rows } = await readAll('/tokens?limit=100', /tokens\/tok_\w+"/g)
  expect(rows.length).toBe(500)
  // The last one is found as well.
  const [last = ''] = rows.slice(-1)
  const id = last.slice(7, -1)
  expect((await jar.ask(`${seat.root}/tokens/${id}/rotate`)).status).toBe(200)
})

test('hundreds of events of one type', async () => {
  const count = sized(300, 1000)
  const other = await scene.newOwner()
  const aggregate = `offer_${other.workspace.slice(-26)}`
  await addEvents(scene.stack.sql, seat.workspace, { to: count, aggregate })
  const { rows } = await readAll('/activity?type=offers.revoked&limit=100', /\/activity\/evt_\w+/g)
  expect(rows.length).toBe(count)
})

test('each of more than a hundred products, channels and policies can be chosen and is named', async () => {
  const owner = await scene.newOwner()
  const ask = async (path: string) => (await newJar(owner)).ask(owner.root + path)
  const { product_id, package_id } = await newCatalogue(owner, {}, 'The oldest')
  const channel = await newChannel(
    owner,
    product_id,
    { ...manualPolicy, support: 'The first terms' },
    'Direct',
  )
  await owner.send('POST', '/offers', { product_id, offer_channel_id: channel })
  const { sql } = scene.stack
  const idOf = (prefix: string) => sql`${`${prefix}_${owner.workspace.slice(-22)}`} || lpad(n::text, 4, '0')`
  await sql`
    insert into offers.products (id, workspace_id, name, package_id, created_at)
    select ${idOf('prod')}, ${owner.workspace}, 'Product ' || n, ${package_id}, now() + interval '1 second'
    from generate_series(1, 150) n`
  await sql`
    insert into offers.offer_channels (id, workspace_id, product_id, name, status, created_at)
    select ${idOf('och')}, ${owner.workspace}, ${product_id}, 'Channel ' || n, 'active', now() + interval '1 second'
    from generate_series(1, 150) n`
  await sql`
    insert into offers.channel_policies (offer_channel_id, number, policy, created_at)
    select offer_channel_id, n, policy, now() from offers.channel_policies, generate_series(2, 130) n
    where offer_channel_id = ${channel}`
  expect((await ask('/offers/new')).text).toContain('Showing the newest 50 of 151.')
  const found = (await ask('/offers/new?q=OLDEST')).text
  expect(found).toContain('>Direct<')
  expect(found).not.toContain('Product 150')
  expect((await ask('/catalogue/channels/new')).text).toContain(`<option value="${product_id}">The oldest<`)
  expect((await ask('/offers')).text).toContain('>The oldest<')
  expect((await ask(`/catalogue/channels/${channel}`)).text).toContain('Active revision (1)')
  const policy = (await ask(`/catalogue/channels/${channel}/policies/2`)).text
  expect(policy).toContain('Compared with revision 1, which is active')
  const form = (await ask(`/offers/new?product_id=${product_id}&offer_channel_id=${channel}`)).text
  expect(form).toContain('Direct, revision 1')
  expect((await ask(`/catalogue/channels/${channel}/policies/new`)).text).toContain('The first terms')
})

test('an id leads to a token and to a member that are not on the first page', async () => {
  const owner = await scene.newOwner()
  const jar = await newJar(owner)
  const { id } = await owner.send('POST', '/api_tokens', { name: 'the first one' })
  await addTokens(owner, 30)
  const colleague = await scene.newColleague(owner, 'member')
  expect((await jar.ask(`${owner.root}/tokens`)).text).not.toContain('the first one')
  for (const [wanted, shown, rows] of [
    [id, 'the first one', 0],
    [colleague.person.id, colleague.person.email, 1],
  ] as const) {
    const { status, headers } = await jar.ask(`${owner.root}/search?q=${wanted}`)
    expect(status).toBe(303)
    const { text } = await jar.ask(scene.urls[0] + headers.get('location'))
    expect(text).toContain(shown)
    expect([...text.matchAll(/<th [^>]*scope="row"/g)]).toHaveLength(rows)
    expect(text.includes('Clear filter')).toBe(rows === 1)
  }
  const gone = await jar.ask(`${owner.root}/tokens/tok_01k00000000000000000000000`)
  expect(gone.status).toBe(404)
})

test('without a limit in the address a page has fewer rows, and an unknown filter shows the list', async () => {
  const { text, status } = await jar.ask(`${seat.root}/tokens?limit=nonsense&cursor=&state=%00`)
  expect(status).toBe(200)
  expect(text.length).toBeLessThan(mostBytes)
})
