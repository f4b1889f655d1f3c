// Whoever has the session of an owner, from a backup, a laptop or a log, but not the password: it was enough for API tokens and
// devices of their own, which stay when the session ends. An old one gives none of them, by whatever way it is made young.
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { forFile } from '@svc/testing/for-file'
import { insertMember } from '@svc/testing/members'
import { requester } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { expect, test } from 'vitest'

const product = forFile(joinProduct)
const stepUp = { status: 401, answer: { errors: [{ code: 40104 }] } }

async function stolen() {
  const { workspace_id: workspace } = product.dev
  const { id: user } = await invoke(product.backoffice, authTokens, 'put_user', {
    caller: { kind: 'internal', id: 'test' },
    body: { email: `${newId('user')}@victims.example`, password: 'a good long password' },
  })
  await insertMember(product.sql, { workspace, user, role: 'owner' })
  const { id, token } = await invoke(product.backoffice, authTokens, 'create_session', {
    caller: { kind: 'internal', id: 'test' },
    body: { user_id: user },
  })
  await product.sql`
    update auth_tokens.sessions set auth_time = now() - interval '1 day' where id = ${id}`
  return { user, token, workspace }
}

const send = (method: string, path: string, token: string, workspace: string, body: object = {}) =>
  requester(product.baseUrls[0] ?? '')(method, path, token, { body, headers: { 'svc-context': workspace } })
const exchange = async (subject_token: string) => {
  const answer = await fetch(new URL('/oauth/token', product.baseUrls[0]), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

test('an old session creates no token, and neither does a new JWT of it, nor one that asks to be confirmed', async () => {
  const { token, workspace } = await stolen()
  expect(await send('POST', '/api_tokens', token, workspace, { name: 'mine' })).toMatchObject(stepUp)
  expect(await send('POST', '/api_tokens', await exchange(token), workspace, { name: 'mine' })).toMatchObject(
    stepUp,
  )
  const asked = await requester(product.baseUrls[0] ?? '')(
    'POST',
    '/sessions/current/confirmation',
    token,
    {},
  )
  expect(asked.status).toBe(201)
  expect(await send('POST', '/api_tokens', token, workspace, { name: 'mine' })).toMatchObject(stepUp)
})

test('its page to confirm wants the password, of which ten are tried in ten minutes', async () => {
  const { token, user, workspace } = await stolen()
  const site = new URL(product.baseUrls[0] ?? '').origin
  const page = await fetch(`${site}/confirm`, { headers: { cookie: `__Host-svc_session=${token}` } })
  const [, csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(await page.text()) ?? []
  const secret = page.headers
    .getSetCookie()
    .find(one => one.startsWith('__Host-svc_csrf'))
    ?.split(';')[0]
  const guess = async (password: string) => {
    const answer = await fetch(`${site}/confirm`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `__Host-svc_session=${token}; ${secret}` },
      body: new URLSearchParams({ _csrf: csrf, password, return_to: '/' }),
    })
    return answer.status
  }
  const guesses: number[] = []
  for (let n = 0; n < 11; n++) guesses.push(await guess(`password ${n}`))
  expect(guesses).toEqual([...Array(10).fill(400), 429])
  const rows = await product.sql`
    select auth_time < now() - interval '1 hour' as is_old from auth_tokens.sessions
    where user_id = ${user} and hash = decode(${hashCredential(token)}, 'hex')`
  expect(rows).toEqual([{ is_old: true }])
  expect(await send('POST', '/api_tokens', token, workspace, { name: 'mine' })).toMatchObject(stepUp)
})
