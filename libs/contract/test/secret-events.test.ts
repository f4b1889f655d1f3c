// Every operation whose answer has a secret, and every one that ends a secret, leaves an event.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { auditTypes, events } from '../src/events.ts'
import { secrets } from '../src/core/secrets.ts'
import { type NamedOperation, operations } from '../src/services.ts'

/** The schema of each part of the answer, and the name of its property. */
function answerOf({ operation: { output } }: NamedOperation) {
  const parts: { readonly isSecret: boolean; readonly isText: boolean; readonly name: string }[] = []
  if (!output) return parts
  z.toJSONSchema(output, {
    io: 'output',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      const isText = jsonSchema.type === 'string' && !('enum' in jsonSchema)
      parts.push({ isSecret: secrets.has(zodSchema), isText, name: String(path.at(-1) ?? '') })
    },
  })
  return parts
}

const holdsSecret = (named: NamedOperation) => answerOf(named).some(({ isSecret }) => isSecret)
const holders = operations.filter(holdsSecret)

/** The path of a resource with a secret, such as `/clusters/{id}`. */
const resources = holders.flatMap(
  ({ operation }) => /^\/\w+\/\{\w+\}/.exec(operation.http?.path ?? '')?.[0] ?? [],
)
const endsSecret = ({ name, operation: { http, narrows } }: NamedOperation) =>
  narrows === true ||
  (/^(delete|remove|revoke|end|rotate)_/.test(name) && resources.some(path => http?.path.startsWith(path)))

test('both kinds are found', () => {
  const named = (found: readonly NamedOperation[]) => found.map(({ name }) => name)
  expect(named(holders)).toEqual(
    expect.arrayContaining([
      'create_api_token',
      'create_agent_secret',
      'create_install_credential',
      'sign_in',
    ]),
  )
  expect(named(operations.filter(endsSecret))).toEqual(
    expect.arrayContaining(['revoke_agent_secret', 'delete_cluster', 'remove_install', 'end_session']),
  )
})

test('every operation whose answer holds a secret, or that ends one, has an event', () => {
  const without = operations.filter(
    named => (holdsSecret(named) || endsSecret(named)) && !named.operation.event,
  )
  expect(without.map(({ service, name }) => `${service}.${name}`)).toEqual([])
})

test('a part of an answer that is called like a secret is marked as one', () => {
  const unmarked = operations.flatMap(named => {
    const parts = answerOf(named)
    const marked = new Set(parts.filter(({ isSecret }) => isSecret).map(({ name }) => name))
    return parts
      .filter(({ isText, name }) => isText && called.test(name) && !marked.has(name))
      .map(({ name }) => `${named.name}.${name}`)
  })
  expect([...new Set(unmarked)].sort()).toEqual([...withoutPower].sort())
})

const called = /(^|_)(secret|token|credential|password|code|link)$/

/** What it gives is no more than what was there before: a device nothing until somebody approves, who leaves an event, a session a JWT of itself, a code nothing but to the person of the session. */
const withoutPower = [
  'exchange_session.access_token',
  'request_confirmation.user_code',
  'start_device_grant.device_code',
  'start_device_grant.user_code',
]

test('what only the audit log has is of a workspace', () => {
  for (const type of auditTypes) expect(Object.keys(events[type].shape)).toContain('workspace_id')
})
