// "Do this from the command line": what a shell, the program svc and the browser make of it.
import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { createCli } from '../../../../../apps/cli/src/cli.ts'
import { createProgram } from '../../../../../apps/cli/src/program.ts'
import type { Surroundings } from '../../../../../apps/cli/src/surroundings.ts'
import { curlLine, quoted, svcLine } from '../../../src/web/console/forms/command-lines.ts'
import { Jar } from '../cookie-jar.ts'
import { newCatalogue, newChannel, pick, setConsoleScene } from './console-scene.ts'
import { manualPolicy } from '../store/offer/offer-scene.ts'
import { filledIn, pagePaths } from './console-paths.ts'
import { anyForm, type Filled, fillWorkspace } from './filled-workspace.ts'
import { linesIn, sentBy, wordsOf, wordsOfAll } from './shell-words.ts'

const scene = forFile(setConsoleScene)
let filled: Filled
let jar: Jar
beforeAll(async () => {
  filled = await fillWorkspace(scene, await scene.newOwner())
  jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(filled.seat.person))
})

const said: string[] = []
let ran: Command | undefined
const program = stubbed()

/** As the program, but it runs nothing. */
function stubbed() {
  const stream = new PassThrough()
  stream.on('data', chunk => said.push(String(chunk)))
  const streams = { stdin: stream, stdout: stream, stderr: stream }
  const surroundings = { env: {}, ...streams, signal: new AbortController().signal }
  const program = createProgram(createCli(surroundings as unknown as Surroundings))
  const stub = (command: Command) => {
    if (command.commands.length === 0)
      command.action(() => {
        ran = command
      })
    for (const child of command.commands) stub(child)
  }
  stub(program)
  return program
}

/** Throws what it would print. */
async function parse(words: readonly string[]) {
  said.length = 0
  ran = undefined
  // A person is asked; here nobody can be.
  await program.parseAsync(['node', 'svc', ...words, ...(asks(words) ? ['--yes'] : [])]).catch(error => {
    throw new Error(`${words.join(' ')}: ${(error as Error).message} ${said.join('')}`)
  })
  expect(ran).toBeDefined()
}

const asks = (words: readonly string[]): boolean => {
  const command = words.reduce<Command>(
    (at, word) => at.commands.find(one => one.name() === word) ?? at,
    program,
  )
  return command.options.some(({ long }) => long === '--yes')
}

/** What one may type into any form. */
const typed = {
  ...anyForm,
  expires_at: '2030-01-31T12:00',
  ends_with_creator: 'on',
  allowed_emails: 'ada@people.example\r\nbob@people.example',
  customer_name: 'Globex',
  customer_id: 'crm-7',
  notes: 'Welcome.',
  internal_note: 'Met at the fair.',
  max_uses: '5',
  tier: 'gold',
  commercial_mode: 'paid',
  allow_api_tokens: 'on',
  description: 'Mine',
  support_email: 'help@people.example',
  min_unit_amount: '1',
  max_unit_amount: '2',
  default_amount: '1',
  default_currency: 'eur',
  default_interval: 'month',
  'currencies.eur': 'on',
  'intervals.month': 'on',
}

test('the svc line of every page is one that svc knows, filled in as well', async () => {
  const { seat, ids } = filled
  const { product_id } = await newCatalogue(seat, {
    properties: { company: { type: 'string' }, seats: { type: 'integer' }, more: {} },
  })
  const channel = await newChannel(seat, product_id, manualPolicy)
  const { next_cursor } = await seat.send('GET', '/products?limit=1')
  const values = {
    ...typed,
    package_id: ids['catalogue/packages'] ?? '',
    product_id,
    'value.0': 'Acme',
    'value.1': '3',
    'value.2': '{"a":[1]}',
    'lock.1': 'on',
    issuer: 'https://token.example',
    claims: '{"repository_id":"1"}',
    'permissions.offers:read': 'on',
  }
  const pages = [
    ...pagePaths.filter(path => !path.endsWith('.ndjson')).map(path => filledIn(path, ids)),
    ...[
      `/offers/new?product_id=${product_id}`,
      `/offers/new?product_id=${product_id}&offer_channel_id=${channel}`,
    ],
    `/offers/new?package_version_id=${ids['catalogue/versions']}`,
    `/offers?state=active&product_id=${product_id}&offer_channel_id=${channel}`,
    `/orders?relation=placed&state=completed&offer_id=${ids.offers}`,
    `/installs?relation=sold&offer_id=${ids.offers}&product_id=${product_id}&state=started`,
    `/installs?package_version_id=${ids['catalogue/versions']}&cluster_id=${ids.clusters}`,
    '/tokens?ends_before=1893456000&unused_since=1767225600',
    ...['packages', 'products', 'channels'].map(kind => `/catalogue?kind=${kind}`),
    `/catalogue?kind=products&cursor=${next_cursor}`,
    `/catalogue/channels/${ids['catalogue/channels']}/policies/new?pricing=range`,
    `/activity?type=offers.created&aggregate=${ids.offers}&actor=${seat.person.id}&after=1767225600&before=1893456000`,
    '/activity/audit-log?type=offers.created&credential=tok_1&after=1767225600',
  ]
  const shown: string[] = []
  let forms = 0
  for (const path of pages) {
    const lines = linesIn((await jar.ask(seat.root + path)).text)
    if (lines?.call) forms++
    if (lines) shown.push(lines.call ? svcLine(lines.call, values) : lines.svc)
  }
  const wrong: string[] = []
  for (const words of await wordsOfAll(shown, 'bash'))
    await parse(words).catch(error => wrong.push((error as Error).message.slice(0, 300)))
  expect(wrong).toEqual([])
  expect(shown.join('\n')).toContain(`products list --cursor ${next_cursor}`)
  expect(forms).toBeGreaterThan(20)
  expect(shown.length).toBeGreaterThan(forms + 20)
})

const hostile = [
  `it's`,
  '$(touch /tmp/x)',
  '`id`',
  'a\nb',
  '"; exit 1; "',
  "'; exit 1; '",
  '\\',
  '-rf',
  '*',
  '~',
  '!!',
  '# no comment',
  '\u202ereversed',
  "\u001b[201~ \u0015touch x # it's",
  '\\n\u007fa\u009b31m\tb\u2028c\\',
  '',
]

test('every value is one word of a shell, and nothing in it is for the terminal', async () => {
  const line = `curl ${hostile.map(quoted).join(' ')}`
  expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
  expect(await wordsOfAll([line], 'bash')).toEqual([hostile])
})

test('the lines of a form with hostile values stay one word each, and say what the form sends', async () => {
  const { seat } = filled
  const schema = JSON.parse(`{"properties":{"it's $(id)":{"type":"string"},"constructor":{"type":"string"}}}`)
  const { product_id } = await newCatalogue(seat, schema)
  const address = `${seat.root}/offers/new?product_id=${product_id}`
  const { csrf } = await jar.ask(address)
  const text = hostile.join(' ')
  const form = {
    ...typed,
    notes: `\n${text}`,
    customer_name: text,
    'value.0': text,
    'value.1': text,
    'lock.1': 'on',
    order_ttl_minutes: '0',
    unit_amount: '',
    _csrf: csrf,
    key: "k'$(id)",
  }
  const answer = await jar.ask(address, { form })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  const lines = linesIn(answer.text)
  const words = await wordsOf(lines?.curl ?? '')
  expect(words.slice(0, 3)).toEqual(['-X', 'POST', `${scene.urls[0]}/v1/offers`])
  expect(words).toContain("Idempotency-Key: k'$(id)")
  expect(words).toContain('Authorization: Bearer token')
  const trimmed = text.trim()
  expect(sentBy(words)).toMatchObject({
    notes: `\n${text}`,
    customer: { display_name: trimmed },
  })
  const { field_values } = sentBy(words) as { field_values: object }
  expect(Object.entries(field_values)).toEqual([
    // As typed: spaces may matter.
    ["it's $(id)", { value: text, locked: false }],
    ['constructor', { value: text, locked: true }],
  ])
  const [svc = []] = await wordsOfAll([lines?.svc ?? ''], 'bash')
  for (const value of [`\n${text}`, trimmed, `it's $(id)=${text}`, `constructor=${text}`])
    expect(svc).toContain(value)
  await parse(svc)
})

test('the browser writes both lines as one types, as the server does', async () => {
  const { seat } = filled
  const { product_id } = await newCatalogue(seat, { properties: { company: { type: 'string' } } })
  const { page, complaints } = await scene.draw(seat, `/offers/new?product_id=${product_id}`)
  const shown = async () => {
    const { curl, svc } = linesIn(await page.content()) ?? {}
    return { curl, svc }
  }
  const before = await shown()
  await page.getByLabel('Message to customer').fill(`it's\n"new"`)
  await page.getByLabel(/^Company/).fill('$(id)')
  await page.getByLabel('Lock').check()
  await pick(page, 'I collect it myself')
  await page.getByLabel('Price').fill('49,90')
  await page.getByLabel('Currency').selectOption('usd')
  await page.getByLabel('Time to complete an order').fill('0')
  const after = await shown()
  expect(after.curl).not.toBe(before.curl)
  expect(after.svc).not.toBe(before.svc)
  expect(sentBy(await wordsOf(after.curl ?? ''))).toMatchObject({
    notes: `it's\n"new"`,
    pricing_request: { unit_amount: 4990, currency: 'usd' },
    // A line that collects nothing would give it away.
    offer_channel_id: 'FILL_IN',
  })
  expect(after.svc).toContain('--channel FILL_IN')
  await page.getByText('Do this from the command line').click()
  expect(await page.locator('[data-line=svc]').first().innerText()).toBe(after.svc)
  await page.getByRole('button', { name: 'Publish offer' }).click()
  await page.getByRole('alert').waitFor()
  expect(await shown()).toEqual(after)
  expect(complaints.filter(text => !text.includes('status of 4'))).toEqual([])
})

test('without a value nothing is said of the option', () => {
  const call = {
    method: 'POST',
    url: 'https://a.example/v1/x',
    svc: ['x'],
    fields: [{ name: 'name', label: 'Name', flag: '--name' }],
  }
  expect(svcLine(call, {})).toBe('svc x')
  expect(curlLine(call, {})).toContain(`-d '{}'`)
})

test('a text that looks like a number stays a text, and a name with = in it goes into a file', async () => {
  const { seat } = filled
  const schema = {
    properties: { code: { type: 'string' }, 'a=b': { type: 'string' }, seats: { type: 'integer' } },
  }
  const { product_id } = await newCatalogue(seat, schema)
  const { text } = await jar.ask(`${seat.root}/offers/new?product_id=${product_id}`)
  const { call } = linesIn(text) ?? {}
  if (!call) throw new Error('The page has no lines.')
  const line = svcLine(call, { 'value.0': '0123', 'value.1': "it's", 'lock.1': 'on', 'value.2': '5' })
  expect(line).toContain('--field code=0123')
  expect(svcLine(call, { 'value.0': '123' })).toContain(`--field 'code="123"'`)
  expect(line).toContain('--field seats=5')
  expect(line).toContain(`--file <(printf %s '{"field_values":{"a=b":{"value":"it'\\''s","locked":true}}}')`)
  expect(line).not.toContain('a=b=')
  for (const words of await wordsOfAll([line], 'bash')) await parse(words)
})
