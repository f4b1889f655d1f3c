// The command line against the contract: each operation of the HTTP API has a command, or a reason why not.
import { commandOf, referenceOf } from '@svc/contract/openapi/reference'
import { operations } from '@svc/contract/services'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandNamed, everyCommand } from './every-command.ts'
import { serve } from './serve.ts'
import { svc } from './svc-here.ts'

const served = operations.filter(({ operation }) => operation.http)
const entries = served.map(one => {
  const { command } = referenceOf(one)
  const name = typeof command === 'object' && 'name' in command ? command.name : command
  return [`${one.service}.${one.name}`, name] as const
})
/** Those that stand for no operation of their own. */
const others = [
  'api',
  'login',
  'logout',
  'token',
  'open',
  'completion',
  'workspace use',
  'members leave',
  'mail on',
  'events tail',
  'tokens narrow',
  'licences verify',
  'webhooks listen',
]

test('every command that is named exists, and each is named or does more than one operation', () => {
  const named = entries.flatMap(([, command]) => (typeof command === 'string' ? [command] : []))
  expect(new Set(named).size).toBe(named.length)
  expect([...named, ...others].sort()).toEqual(everyCommand().sort())
})

test('where there is none, a sentence says why', () => {
  for (const [, command] of entries) {
    if (typeof command !== 'string') expect(command.reason).toMatch(/^[A-Z].+\.$/)
  }
})

let server: Awaited<ReturnType<typeof serve>>
let asked: string[] = []
beforeAll(async () => {
  server = await serve((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
})
afterAll(() => server.close())

/** What a command wants that is neither an argument nor always required. */
const more: Readonly<Record<string, readonly string[]>> = {
  'offers create': ['--product', 'prod_1'],
  'offers preview': ['--product', 'prod_1'],
  'clusters settings set': ['--max-machines', '5', '--etag', 'x'],
}
const samples: Readonly<Record<string, string>> = { short_hash: '7Kq2mXc9TzWf', '--after': '30d' }

function argumentsOf({ registeredArguments, options }: Command): string[] {
  const given = registeredArguments.map(
    one => one.argChoices?.[0] ?? samples[one.name()] ?? `${one.description.split('_…')[0]}_1`,
  )
  const required = options.filter(({ mandatory }) => mandatory)
  return [
    ...given,
    ...required.flatMap(({ long, defaultValue }) =>
      long && defaultValue === undefined ? [long, samples[long] ?? 'x'] : [],
    ),
  ]
}

const yesOf = (command: string) => (isYes(commandNamed(command)) ? ['--yes'] : [])
const isYes = ({ options }: Command) => options.some(({ long }) => long === '--yes')

// derived.test.ts has the others, but for the one without an example.
const commands = served.flatMap(one => {
  const { name = '', own = name === 'installs billing-portal' } = commandOf(one) ?? {}
  return own ? [[name, `${one.service}.${one.name}`, one.operation.http] as const] : []
})

test.each(commands)('svc %s calls %s', async (command, _, http) => {
  asked = []
  const { code, err } = await svc(
    [
      ...command.split(' '),
      ...argumentsOf(commandNamed(command)),
      ...(more[command] ?? []),
      ...yesOf(command),
    ],
    {
      SVC_BASE_URL: server.url,
      SVC_TOKEN: 'session-of-nobody',
      SVC_WORKSPACE: 'ws_01h455vb4pex5vsknk084sn02q',
    },
    '{}',
  )
  expect([code, err]).toEqual([4, expect.stringContaining('HTTP 404')])
  const path = new RegExp(`^${http?.method} /v1${http?.path.replace(/\{\w+\}/g, '[^/]+')}$`)
  expect(asked).toContainEqual(expect.stringMatching(path))
})
