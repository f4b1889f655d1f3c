// A form that is sent twice does what it does once.
import { codes } from '@svc/contract/core/error-codes'
import { everything } from '@svc/testing/size'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { shownAgain } from '../../../src/web/kit/forms/creation-key.ts'
import { Jar } from '../cookie-jar.ts'
import { press, replaceValue } from '../page-scene.ts'
import { main, newCatalogue, pick, type Seat, setConsoleScene } from './console-scene.ts'
import { creating } from './creating-forms.ts'

const scene = forFile(setConsoleScene)

async function jarOf({ person }: Seat) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(person))
  return jar
}

const hidden = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
const countOf = async (table: string, { workspace }: Seat) =>
  (await scene.stack.sql`select 1 from ${scene.stack.sql(table)} where workspace_id = ${workspace}`).count

test('two clicks on a button create one token, and after going back the form is a new one that can be sent at once', async () => {
  const owner = await scene.newOwner()
  const { page } = await scene.draw(owner, '/tokens/new')
  const sent: string[] = []
  page.on('request', request => request.method() === 'POST' && sent.push(request.url()))
  const keys = new Set<string>()
  for (const count of [1, 2]) {
    keys.add(await page.locator('[name=key]').inputValue())
    await page.getByLabel('Name', { exact: true }).fill('ci')
    await page.getByLabel('All that a member may').click()
    await page.getByRole('button', { name: 'Create token' }).dblclick()
    await page.getByText('Copy it now.').waitFor()
    expect(sent).toHaveLength(count)
    expect(await countOf('auth_tokens.api_tokens', owner)).toBe(count)
    await page.goBack()
  }
  expect(keys.size).toBe(2)
})

test('a form that the browser has kept says what it made, and makes another one if asked', async () => {
  const owner = await scene.newOwner()
  let sent = ''
  const send = async () => {
    const page = await scene.plain(owner, '/tokens/new')
    const key = page.locator('input[name=key]')
    sent ||= await key.inputValue()
    await replaceValue(key, sent)
    await page.getByLabel('Name').fill('ci')
    await pick(page, 'All that a member may')
    await press(page, 'Create token')
    expect(await countOf('auth_tokens.api_tokens', owner)).toBe(1)
    return page
  }
  expect(await main(await send())).toContain('Copy it now.')
  const page = await send()
  expect(await main(page)).toContain('created “ci”')
  await press(page, 'Create another token like this')
  expect(await main(page)).toContain('Copy it now.')
  const made = await scene.stack.sql`
    select name from auth_tokens.api_tokens where workspace_id = ${owner.workspace}`
  expect(made.map(({ name }) => name)).toEqual(['ci', 'ci'])
})

// `npm test` has those with a secret, and an offer, which is made differently.
const some = Object.entries(creating).filter(
  ([name, { hasSecret }]) => everything || hasSecret || name === 'an offer',
)

describe.each(some)(
  'the form of %s',
  (_name, { path, table, fields, hasSecret, changed: other = 'name' }) => {
    async function open() {
      const owner = await scene.newOwner()
      const made = await newCatalogue(owner)
      const jar = await jarOf(owner)
      const address = owner.root + (typeof path === 'string' ? path : path(made))
      const { csrf, text } = await jar.ask(address)
      const before = await countOf(table, owner)
      const form: Record<string, string> = { ...fields(made), _csrf: csrf, key: hidden(text, 'key') }
      return { jar, address, form, count: async () => (await countOf(table, owner)) - before, owner }
    }

    /** Where the answers lead: each to the same, but for the one with the secret. */
    function expectOne(answers: readonly Awaited<ReturnType<Jar['ask']>>[]) {
      if (!hasSecret) {
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303))
        return expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1)
      }
      const [first, ...others] = answers.toSorted((a, b) => a.status - b.status)
      expect(first?.text).toContain('Copy it now.')
      for (const { status, text } of others) {
        expect(status).toBe(409)
        expect(text).toContain('already exists')
        expect(text).toMatch(/href="[^"]*\/rotate"/)
      }
    }

    test('that arrives three times at the same moment, and again a minute later, makes one', async () => {
      const { jar, address, form, count, owner } = await open()
      const answers = await Promise.all([1, 2, 3].map(() => jar.ask(address, { form })))
      expectOne(answers)
      await scene.stack.sql`
      update ${scene.stack.sql(table)} set created_at = created_at - interval '1 minute'
      where workspace_id = ${owner.workspace}`
      expectOne([...answers, await jar.ask(address, { form })])
      expect(await count()).toBe(1)
      // The page that is opened anew is for another one.
      expect(hidden((await jar.ask(address)).text, 'key')).not.toBe(form.key)
    })

    test('with other values is refused at the form, and makes another one when it is sent again', async () => {
      const { jar, address, form, count } = await open()
      await jar.ask(address, { form })
      const changed = { ...form, [other]: 'Changed' }
      const refused = await jar.ask(address, { form: changed })
      expect(refused.status).toBe(409)
      expect(refused.text).toContain('already sent with other values')
      expect(await count()).toBe(1)
      const again = { ...changed, key: hidden(refused.text, 'key') }
      expect((await jar.ask(address, { form: again })).status).toBe(hasSecret ? 201 : 303)
      expect(await count()).toBe(2)
    })
  },
)

test('the form of a workspace that is sent again makes one, and with another name is refused', async () => {
  const owner = await scene.newOwner()
  const jar = await jarOf(owner)
  const address = `${scene.urls[0]}/console/new`
  const { csrf, text } = await jar.ask(address)
  const form = { _csrf: csrf, key: hidden(text, 'key'), name: 'Second' }
  const answers = await Promise.all([1, 2, 3].map(() => jar.ask(address, { form })))
  answers.push(await jar.ask(address, { form }))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
  expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1)
  const refused = await jar.ask(address, { form: { ...form, name: 'Third' } })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('already sent with other values')
  const again = { ...form, name: 'Third', key: hidden(refused.text, 'key') }
  expect((await jar.ask(address, { form: again })).status).toBe(303)
  const { count } = await scene.stack.sql`
    select from auth_tokens.memberships where user_id = ${owner.person.id}`
  expect(count).toBe(3)
})

test('while the first attempt is in progress a form keeps its key: another one could create a second offer', () => {
  const values = { key: 'k', notes: 'Hello' }
  const refused = { problems: { '': 'Still in progress.' }, status: 409 }
  const shown = (code: number) => shownAgain(values, { ...refused, code })
  expect(shown(codes.key_in_flight[0])).toEqual({ values, problems: refused.problems, status: 409 })
  expect(shown(codes.key_reused[0]).values.key).not.toBe('k')
})

test('the first offer that is sent several times at once, and again later, is made once with its terms', async () => {
  const owner = await scene.newOwner()
  const jar = await jarOf(owner)
  const address = `${owner.root}/start`
  const { csrf, text } = await jar.ask(address)
  const form = {
    ...{ _csrf: csrf, key: hidden(text, 'key'), name: 'Engine', max_uses: '1' },
    ...{ version: '1.0.0', input_schema: '{"type":"object","properties":{}}' },
    ...{ paid: 'transfer', unit_amount: '29.90', currency: 'eur', interval: 'month', approval: 'manual' },
  }
  const answers = await Promise.all([1, 2, 3].map(() => jar.ask(address, { form })))
  answers.push(await jar.ask(address, { form }))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
  for (const table of ['packages', 'package_versions', 'products', 'offer_channels', 'offers'])
    expect([table, await countOf(`offers.${table}`, owner)]).toEqual([table, 1])
})
