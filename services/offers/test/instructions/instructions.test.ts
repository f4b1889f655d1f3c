// Instructions of a version (docs/specification.md, R76): what is published, and what both sides of an install read.
import { joinProduct } from '@svc/testing/stack/join-product'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { made, type Send, startHttpScene, statusAndProblems } from '../http-scene.ts'

const scene = forFile(() => startHttpScene(joinProduct))
let own: Send
let theirs: Send
let versions: string
beforeAll(async () => {
  ;({ own, theirs } = scene)
  versions = `/packages/${await made(own, '/packages', { name: 'Instructed' })}/versions`
})

const input_schema = {
  type: 'object',
  properties: {
    host: { type: 'string' },
    key: { type: 'string', format: 'password' },
    database: { $ref: '#/$defs/database' },
    mode: { oneOf: [{ type: 'object', properties: { small: { type: 'string' } } }] },
    'odd name': { type: 'string' },
  },
  $defs: {
    database: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        user: { type: 'object', properties: { password: { type: 'string', format: 'password' } } },
      },
    },
  },
}

let published = 0
const publish = (instructions: unknown, version = `1.${++published}`) =>
  own('POST', versions, { version, input_schema, instructions })

test('instructions are published and read as they were written', async () => {
  const instructions = '# Next\n\n\tOpen {{ field.host }}, {{field.mode.small}}, {{ field.odd name }}.\n'
  const { status, body } = await publish(instructions)
  expect([status, body.instructions]).toEqual([201, instructions])
  expect((await own('GET', `/package_versions/${body.id}`)).body).toEqual(body)
  const [listed] = (await own('GET', `${versions}?limit=1`)).body.data
  expect(listed).not.toHaveProperty('instructions')
  expect((await theirs('GET', `/package_versions/${body.id}`)).status).toBe(404)
})

test('a version is published again with the same instructions, and refused with others or none', async () => {
  const { body: first } = await publish('First', 'again')
  expect(await publish('First', 'again')).toEqual({ status: 201, body: first })
  for (const other of ['Second', undefined]) {
    expect(statusAndProblems(await publish(other, 'again'))).toEqual([409, '40905 version'])
  }
  const { body: bare } = await publish(undefined, 'bare')
  expect((await publish(undefined, 'bare')).body).toEqual(bare)
  expect(statusAndProblems(await publish('First', 'bare'))).toEqual([409, '40905 version'])
})

test.each([
  '{{ field.none }}',
  '{{ field.host.name }}',
  '{{ field.database.none }}',
  '{{ field.database }} {{ field.small }}',
  '{{ field.constructor }}',
  '{{ field.properties }}',
  '{{ field. }}',
  '{{ field }}',
  '{{ order.id }}',
  '{{ install.id.x }}',
  '{{ }}',
  '```\n{{ .Values.host }}\n```',
])('a placeholder for something unknown is refused and named: %j', async instructions => {
  const answer = await publish(`Text ${instructions}`)
  expect(statusAndProblems(answer)).toEqual([422, '42215 instructions'])
  const [{ message } = { message: '' }] = answer.body.errors as { message: string }[]
  expect(message).toContain(
    /\{\{[^}]*\}\}$/.exec(instructions.replace(/\n```$/, ''))?.[0].replace('{{ }}', '{{  }}'),
  )
})

test('every unknown placeholder is named, once', async () => {
  const { body } = await publish('{{ a }} {{ field.host }} {{ b }} {{ a }}')
  expect(body.errors).toHaveLength(2)
})

test.each([
  ['empty', '', '40002 instructions'],
  ['of more than 20,000 characters', 'x'.repeat(20_001), '40002 instructions'],
  ['with a control character', 'a\u0007b', '40002 instructions'],
  ['not a text', 5, '40002 instructions'],
])('instructions are refused if they are %s', async (_, instructions, problem) => {
  expect(statusAndProblems(await publish(instructions))).toEqual([400, problem])
})

describe('an install', () => {
  const instructions = [
    'Open `{{ field.host }}` as **{{ field.host }}**.',
    'Key {{ field.key }}, database {{ field.database.name }}, {{ field.database.user.password }}.',
    'Install {{ install.id }} with {{ credential }}.',
  ].join('\n')
  let install: string
  let read: string

  beforeAll(async () => {
    const { body: version } = await publish(instructions)
    const { body: offer } = await own('POST', '/offers', {
      package_version_id: version.id,
      allow_api_tokens: true,
    })
    const order = await made(theirs, `/i/${offer.short_hash}/orders`, {})
    const field_values = {
      host: '*db*\n# <b>`x`',
      key: 'hunter2hunter2',
      database: { name: 'sales', user: { password: 'hunter3hunter3' } },
    }
    const { body } = await theirs('POST', `/orders/${order}/submit`, { field_values })
    install = String(body.install_id)
    read = String((await theirs('GET', `/installs/${install}`)).body.instructions)
  })

  test('shows them with its values, of which none is markup', () => {
    expect(read.split('\n')[0]).toBe("Open `*db* # <b>'x'` as **\\*db\\* \\# &lt;b&gt;&#96;x&#96;**.")
    expect(read.split('\n')[2]).toBe(
      `Install ${install} with CREDENTIAL (svc installs create-credential ${install}).`,
    )
  })

  test('shows dots for every value of a field with a password', () => {
    expect(read.split('\n')[1]).toBe('Key ••••••••, database ••••••••, ••••••••.')
    expect(read).not.toContain('hunter')
  })

  test('shows them to its customer and to its seller alike, and to nobody else', async () => {
    expect((await own('GET', `/installs/${install}`)).body.instructions).toBe(read)
    const stranger = scene.as(scene.stack.dev.stranger.session_token)
    const { body: workspace } = await stranger('POST', '/workspaces', { name: 'Elsewhere' })
    const elsewhere = scene.as(scene.stack.dev.stranger.session_token, { 'svc-context': workspace.id })
    expect((await elsewhere('GET', `/installs/${install}`)).status).toBe(404)
  })
})

test('those of the demo work', async () => {
  const { package_version_id, owner, workspace_id } = scene.stack.dev
  const { body: offer } = await own('POST', '/offers', { package_version_id, allow_api_tokens: true })
  const order = await made(own, `/i/${offer.short_hash}/orders`, {})
  const field_values = { company: 'Globex', region: 'eu' }
  const { body } = await own('POST', `/orders/${order}/submit`, { field_values })
  const instructions = String((await own('GET', `/installs/${body.install_id}`)).body.instructions)
  expect(instructions).toContain('Welcome, **Globex**. Your data is stored in `eu`.')
  const asOwner = scene.as(owner.session_token, { 'svc-context': workspace_id })
  const { body: created } = await asOwner('POST', `/installs/${body.install_id}/credential`)
  const [, address = '', header = '', value = ''] =
    /curl -sS (\S+) -H '([\w-]+): (\w+)'/.exec(instructions) ?? []
  const headers = { [header]: value.replace('CREDENTIAL', String(created.credential)) }
  expect(await (await fetch(address, { headers })).json()).toEqual({ field_values })
})
