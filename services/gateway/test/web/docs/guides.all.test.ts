// The guides: their examples are run against the product, and their answers, figures and links are checked.
// In `npm test`: docs-pages.test.ts reads every guide.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type CodeName, codes, tags } from '@svc/contract/core/error-codes'
import { refusal } from '@svc/contract/core/errors'
import { events } from '@svc/contract/events'
import { openApiDocument } from '@svc/contract/openapi/document'
import { repoRoot } from '@svc/local/repo-root'
import { waitUntil } from '@svc/local/wait-until'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { guideNames } from '../../../src/web/docs/guide-names.ts'
import { blocksOf, expectLike, readAnswer, stepsOf, ways } from './examples.ts'
import { checkTypes, type Given, installTools, runAsModule, runInShell } from './run-examples.ts'

let stack: Product
let url: string
let dir: string
beforeAll(async () => {
  stack = await joinProduct()
  url = stack.stack.gateways[0]?.url ?? ''
  await waitUntil('the events of what the examples use', async () => {
    const headers = { authorization: `Bearer ${stack.dev.api_token}` }
    const asked = await fetch(`${stack.dev.base_url}/events?type=products.created`, { headers })
    return ((await asked.json()) as { data: object[] }).data.length > 0
  })
  dir = await mkdtemp(join(tmpdir(), 'svc-guides-'))
  await installTools(dir)
})
afterAll(async () => {
  await stack?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
})

const fetchText = async (path: string) => {
  const response = await fetch(url + path)
  expect(response.status).toBe(200)
  return response.text()
}

const stepsOfGuide = async (name: string) => stepsOf(blocksOf(await fetchText(`/docs/${name}.md`)))

const runs = { sh: runInShell, svc: runInShell, ts: runAsModule }

// What a person does in a browser has no lines to run.
describe.each(guideNames.filter(name => name !== 'account'))('%s', name => {
  // The quickstart in all ways, always; each of them starts processes.
  test.each(ways)('its examples have the answers that it shows: %s', async way => {
    const all = await stepsOfGuide(name)
    expect(all.length).toBeGreaterThan(0)
    if (!all.some(({ code }) => code[way])) return
    // The pages say: where `svc` has no command, it is curl.
    const steps = all.flatMap(({ code: { [way]: own, sh }, answer }) => {
      const code = own ?? (way === 'svc' ? sh : undefined)
      return code === undefined ? [] : { code, answer }
    })
    const printed = await runs[way](
      steps.map(({ code }) => code),
      given(),
      dir,
    )
    for (const [index, { answer, code }] of steps.entries()) {
      const actual = readAnswer(printed[index] ?? '', answer.language)
      const shown = readAnswer(answer.code, answer.language)
      expectLike(way === 'svc' ? withoutUrl(actual, shown) : actual, shown, code)
    }
  })
})

/** `svc` adds the link of an offer to the answer of the API, which the page shows. */
const withoutUrl = (actual: unknown, shown: unknown): unknown => {
  if (typeof actual !== 'object' || actual === null || (shown as { url?: string }).url) return actual
  const { url: _, ...answer } = actual as { url?: string }
  return Array.isArray(actual) ? actual : answer
}

test('the TypeScript of every guide compiles', async () => {
  const examples = new Map<string, string[]>()
  for (const name of guideNames)
    examples.set(
      name,
      (await stepsOfGuide(name)).flatMap(({ code }) => code.ts ?? []),
    )
  expect(await checkTypes(examples, given(), dir)).toBe('')
})

test.each(['quickstart', 'selling', 'checkout'])('%s can be done in each way', async name => {
  for (const { code } of await stepsOfGuide(name)) expect(Object.keys(code).sort()).toEqual([...ways].sort())
})

const given = (): Given => {
  const { api_token, owner, workspace_id, product_id, cluster_id, base_url } = stack.dev
  return {
    ...{ base: base_url, token: api_token, session: owner.session_token, workspace: workspace_id },
    ...{ product: product_id, cluster: cluster_id },
  }
}

test('the program that reads events prints the event that its page shows', async () => {
  const blocks = blocksOf(await fetchText('/docs/events.md'))
  const shown = blocks.find(({ language }) => language === 'json event')
  const program = blocks.find(({ language }) => language === 'js')
  await symlink(join(repoRoot, 'node_modules/nats'), join(dir, 'node_modules/nats'))
  await writeFile(join(dir, 'billing.mjs'), program?.code ?? '')
  const { api_token, product_id, base_url } = stack.dev
  const made = await fetch(`${base_url}/offers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ product_id }),
  })
  const { id } = (await made.json()) as { id: string }
  const child = spawn(process.execPath, [join(dir, 'billing.mjs')], {
    env: stack.stack.bus('backoffice'),
  })
  let failure = ''
  child.stderr?.on('data', text => {
    failure += text
  })
  onTestFinished(() => void child.kill())
  // The stream has the offers of all tests that share the product.
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', printed => printed.includes(id) && resolve(printed))
    child.once('exit', () => reject(new Error(failure)))
  })
  const { sequence, ...event } = JSON.parse(line)
  const { sequence: shownSequence, ...shownEvent } = JSON.parse(shown?.code ?? '')
  expectLike(event, shownEvent, 'event')
  expect([sequence, shownSequence].every(Number.isInteger)).toBe(true)
})

test('rotating and revoking a token by the examples leaves all others alone', async () => {
  const { owner, workspace_id, base_url } = stack.dev
  const headers = { authorization: `Bearer ${owner.session_token}`, 'svc-context': workspace_id }
  const made = await fetch(`${base_url}/api_tokens`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"name":"live"}',
  })
  const { token } = (await made.json()) as { token: string }
  const blocks = blocksOf(await fetchText('/docs/authentication.md'))
  const changing = blocks.filter(({ code }) => /\$id/.test(code))
  expect(changing).toHaveLength(2)
  await runInShell(
    changing.map(({ code }) => code),
    given(),
    dir,
  )
  const seen = await fetch(`${base_url}/offers?limit=1`, { headers: { authorization: `Bearer ${token}` } })
  expect(seen.status).toBe(200)
})

test('workspaces names exactly the operations that are not for members', async () => {
  const page = await fetchText('/docs/workspaces.md')
  const table = page.split('## Roles')[1]?.split('\n## ')[0] ?? ''
  const named = [...table.matchAll(/`((?:GET|POST|PATCH|PUT|DELETE) [^`]+)`/g)].map(([, call]) => call)
  const documented = Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => /as owner( or admin)? in the workspace/.test(JSON.stringify(operation)))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  expect(documented).toContain('DELETE /products/{id}')
  expect(named.toSorted()).toEqual(documented.toSorted())
})

test('errors has every tag and every code of the contract', async () => {
  const page = await fetchText('/docs/errors')
  for (const tag of Object.keys(tags)) expect(page).toContain(`<code>${tag}</code>`)
  const listed = [...page.matchAll(/<td id="(\d{5})">/g)].map(([, code]) => Number(code))
  expect(listed).toEqual(Object.values(codes).map(([code]) => code))
  const markdown = (await fetchText('/docs/errors.md')).replaceAll('\\', '')
  for (const [tag, { status, means }] of Object.entries(tags))
    expect(markdown).toMatch(
      new RegExp(`^\\| ${status} \\| \\[\`${tag}\`\\]\\S+ \\| .* \\| ${means} \\|$`, 'm'),
    )
  for (const [code, , sentence] of Object.values(codes))
    expect(markdown).toContain(`| \`${code}\` | ${sentence} | `)
})

test("the doc_url of every code leads to its row, at the API's own address", async () => {
  for (const name of Object.keys(codes) as CodeName[]) {
    const { errors } = refusal(name).body as { errors: { code: number; metadata: { doc_url: string } }[] }
    const { pathname, hash, origin } = new URL(errors[0]?.metadata.doc_url ?? '', `${url}/v1/offers`)
    expect(origin).toBe(new URL(url).origin)
    expect(await fetchText(pathname)).toContain(`<td id="${hash.slice(1)}"><code>${errors[0]?.code}</code>`)
  }
})

test('events has every type', async () => {
  const page = await fetchText('/docs/events.md')
  for (const type of Object.keys(events)) expect(page).toContain(`| \`${type}\` |`)
})

test('limits has the bounds of the API document', async () => {
  const page = await fetchText('/docs/limits.md')
  expect(page).toContain('| `POST /offers` | `Idempotency-Key` | 1 to 64 characters |')
  expect(page).toContain('| `order_ttl_minutes` | 1 to 1440 |')
  expect(page).toContain('| `expires_at` | 1 to 253402300799 |')
  expect(page).toContain('at most 253402300799, the last second of the year 9999')
  expect(page).toContain('| `pricing_request.unit_amount` | at most 100000000 |')
  expect(page).toContain('| `policy.support` | 1 to 200 characters |')
  expect(page).toContain('| `policy.pricing.max_unit_amount` | at most 100000000 |')
  expect(JSON.stringify(openApiDocument())).toContain('"maximum":1440')
})

/** Figures of services, which the gateway may not import: where they are in the code, and how the page states them. */
const figures: [file: string, inCode: string, onPage: string][] = [
  [
    'auth-tokens/src/credentials/attempts.ts',
    'sign_in_per_account_and_address: 10,',
    '10 for an account from one address',
  ],
  ['auth-tokens/src/credentials/attempts.ts', 'sign_in_per_address: 50,', '50 from an address'],
  ['auth-tokens/src/credentials/attempts.ts', 'sign_in_per_account: 100,', '100 for an account'],
  [
    'auth-tokens/src/credentials/attempts.ts',
    'user_codes_per_account: 5,',
    'in 10 minutes 5 for an account |',
  ],
  [
    'auth-tokens/src/credentials/attempts.ts',
    'user_codes_in_all: 500,',
    'Wrong user codes of everybody | 500 a day',
  ],
  ['auth-tokens/src/credentials/attempts.ts', 'device_grants_per_address: 200,', '200 from an address'],
  [
    'auth-tokens/src/credentials/attempts.ts',
    'links_per_address: 30,',
    '30 in 10 minutes from one network address',
  ],
  [
    'auth-tokens/src/credentials/attempts.ts',
    'links_per_recipient_and_address: 4,',
    '4 a day to one email address',
  ],
  ['auth-tokens/src/credentials/attempts.ts', 'attemptWindowSeconds = 600', 'in 10 minutes'],
  ['auth-tokens/src/credentials/attempts.ts', 'sign_up_mail_per_recipient: 10,', '10 a day for signing up'],
  [
    'auth-tokens/src/credentials/attempts.ts',
    'recovery_mail_per_recipient: 10,',
    '10 a day for a new password',
  ],
  ['auth-tokens/src/credentials/attempts.ts', 'recovery_mail_in_reserve: 4,', '4 more from a place'],
  [
    'auth-tokens/src/credentials/attempts.ts',
    'invitation_mail_per_workspace_and_recipient: 1,',
    'one a week from a workspace',
  ],
  [
    'auth-tokens/src/credentials/attempts.ts',
    'invitation_mail_per_recipient: 10,',
    '10 a day to one address',
  ],
  [
    'auth-tokens/src/credentials/attempts.ts',
    'invitation_mail_per_workspace: 300,',
    '300 a day from a workspace',
  ],
  ['auth-tokens/src/credentials/attempts.ts', 'invitations_per_person: 300,', '300 a day'],
  ['auth-tokens/src/credentials/attempts.ts', 'workspaces_per_person: 100,', '100 a day'],
  ['compute/src/config.ts', '.default(1000)', '`max_machines` of a cluster | 1000,'],
  ['offers/src/input-schema/input-schemas.ts', 'maxTextBytes = 64 * 1024', 'at most 64 KiB'],
  ['offers/src/input-schema/check/document-limits.ts', 'maxDepth = 16', '16 levels'],
  ['offers/src/input-schema/check/property-count.ts', 'maxProperties = 200', '200 properties'],
]

test.each(figures)('limits agrees with services/%s: %s', async (file, inCode, onPage) => {
  expect(await readFile(join(repoRoot, 'services', file), 'utf8')).toContain(inCode)
  expect(await fetchText('/docs/limits.md')).toContain(onPage)
})

test('every link leads somewhere', async () => {
  const pages = new Map<string, string>()
  const read = async (path: string) => {
    const known = pages.get(path) ?? (await fetchText(path))
    pages.set(path, known)
    return known
  }
  const queue = ['/docs', '/llms.txt']
  const seen = new Set<string>()
  for (let link = queue.pop(); link; link = queue.pop()) {
    if (seen.has(link)) continue
    seen.add(link)
    const [path = '', fragment] = link.split('#')
    const text = await read(path)
    if (fragment && !path.endsWith('.md'))
      expect({ link, ids: text.includes(`id="${fragment}"`) }).toEqual({ link, ids: true })
    const links = [...text.matchAll(/(?:href="|\]\()([^")]+)[")]/g)].map(([, to = '']) => to.replace(url, ''))
    if (/^\/(docs|llms)/.test(path))
      queue.push(...links.map(to => (to.startsWith('#') ? path + to : to)).filter(to => to.startsWith('/')))
  }
  for (const name of guideNames)
    expect([...seen]).toEqual(expect.arrayContaining([`/docs/${name}`, `/docs/${name}.md`]))
  // No link leads to another site, so none can disappear.
  expect([...pages.values()].join('').match(/href="https?:[^"]*"/g)).toBeNull()
})
