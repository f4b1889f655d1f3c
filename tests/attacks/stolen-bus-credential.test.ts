// Anyone with the gateway's bus credential: `rpc.>` let them create a session for the owner of any workspace, a user,
// or a signing key.
import { gatewaySubjects, operations } from '@svc/contract/services'
import { subjectOf } from '@svc/contract/core/operation'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RawClient, rawClient } from '../../libs/bus/test/raw-client.ts'

let product: Product
let thief: RawClient
beforeAll(async () => {
  product = await joinProduct()
  thief = await rawClient(product.stack.bus('gateway'))
  await thief.said()
})
afterAll(async () => {
  thief?.close()
  await product?.stop()
})

const others = operations
  .map(({ service, name }) => subjectOf(service, name))
  .filter(subject => !gatewaySubjects.includes(subject))

test('the gateway cannot call operations that create people, sessions and keys', () => {
  for (const name of ['create_session', 'put_user', 'create_owner', 'rotate_signing_keys']) {
    expect(others).toContain(`rpc.auth-tokens.${name}`)
  }
})

test('the credential reaches only operations that the gateway forwards or calls', async () => {
  const said = await thief.saidToEach(others.map(subject => [`PUB ${subject} 0`, '']))
  expect(said.map(lines => lines.join())).toEqual(
    others.map(subject => expect.stringContaining(`Permissions Violation for Publish to "${subject}"`)),
  )
})
