// What a refusal says of an id that is not there: of which kind it is, or in which workspace it was searched.
import { describe, expect, test } from 'vitest'
import { refusal } from '../src/core/errors.ts'
import { explainNotFound } from '../src/core/not-found.ts'
import { operations } from '../src/services.ts'

const operationAt = (path: string) => {
  const found = operations.find(({ operation }) => operation.http?.path === path)
  if (!found) throw new Error(path)
  return found.operation
}
const workspace = 'ws_1'
const messageOf = (path: string, params: string, error = refusal('not_found')) =>
  explainNotFound(error, operationAt(path), { params, workspace }).message

describe('an id of another kind', () => {
  test.each([
    ['/offers/{id}', 'id=prod_1', 'prod_… is a product; offers begin with offer_.'],
    ['/orders/{id}/approve', 'id=offer_1', 'offer_… is an offer; orders begin with order_.'],
    ['/products/{id}', 'id=pkg_1', 'pkg_… is a package; products begin with prod_.'],
    ['/packages/{id}', 'id=user_1', 'user_… is a user; packages begin with pkg_.'],
    ['/webhook_endpoints/{id}', 'id=tok_1', 'tok_… is an API token; webhook endpoints begin with whe_.'],
    ['/api_tokens/{id}', 'id=ws_1', 'ws_… is a workspace; API tokens begin with tok_.'],
    [
      '/workspaces/{id}/invitations/{invitation_id}',
      'id=ws_1&invitation_id=order_1',
      'order_… is an order; invitations begin with inv_.',
    ],
  ])('%s with %s is named', (path, params, message) => {
    expect(messageOf(path, params)).toBe(message)
    expect(messageOf(path, params, refusal('not_found', { message: 'You have no such thing.' }))).toBe(
      message,
    )
  })

  test('keeps code, path and address of the documentation', () => {
    const error = refusal('not_found', { path: ['id'] })
    const named = explainNotFound(error, operationAt('/offers/{id}'), { params: 'id=prod_1', workspace })
    const { errors } = error.body as { errors: object[] }
    expect(named).toMatchObject({ status: 404, reason: 'not_found', headers: error.headers })
    expect(named.body).toEqual({ ...error.body, errors: [{ ...errors[0], message: named.message }] })
  })
})

test.each([
  ['of the same kind', '/offers/{id}', 'id=offer_1'],
  ['of no kind', '/offers/{id}', 'id=x'],
  ['of an unknown kind', '/offers/{id}', 'id=constructor_1'],
  ['that is only a prefix', '/offers/{id}', 'id=prod'],
  ['beside a number', '/offer_channels/{id}/policies/{number}', 'id=och_1&number=7'],
])('an id %s is answered with the workspace that was searched', (_, path, params) => {
  expect(messageOf(path, params)).toBe('Not found in workspace ws_1.')
})

test('a link is in no workspace', () => {
  expect(messageOf('/i/{short_hash}', 'short_hash=prod_1')).toBe(refusal('not_found').message)
})

test.each([
  ['with a message of its own', refusal('not_found', { message: 'You have no such session.' })],
  ['for another reason', refusal('offer_expired')],
])('a refusal %s stays as it is', (_, error) => {
  expect(explainNotFound(error, operationAt('/offers/{id}'), { params: 'id=x', workspace })).toBe(error)
})
