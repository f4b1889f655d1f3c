// ID tokens of CI runs, before a trust is looked for: whose they are, for which workspace, and that nothing is fetched too soon.
import { createLog } from '@svc/runtime/log'
import { workloadsConfig } from '@svc/runtime/trusted-workloads'
import { forFile } from '@svc/testing/for-file'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { createRunVerifier } from '../../../src/edge/jwt/verify-run.ts'
import { claimsOf, type Kind, startRunIssuers } from '../oauth/ci-scene.ts'

const publicUrl = 'https://svc.test'
const workspace = 'ws_01kb2m8xq5e7ta9c3v6n4hw001'
const audience = `${publicUrl}/${workspace}`

const issuers = forFile(startRunIssuers)

function verifier(workloads = issuers.workloads) {
  return createRunVerifier({
    workloads: workloadsConfig.TRUSTED_WORKLOADS.parse(workloads),
    publicUrl,
    now: Date.now,
    maxVerifying: 10,
    log: createLog('test', 'silent'),
  })
}

test.each<Kind>(['github', 'gitlab'])(
  'a run of %s is who its token says, in the workspace of the audience',
  async kind => {
    const token = await issuers.token(kind, audience)
    const { jti, exp = 0 } = decodeJwt(token)
    const runs = verifier()
    const run = await runs.verify(token)
    const { user_email: _, groups_direct: __, ...texts } = claimsOf[kind] as Record<string, unknown>
    expect(run).toMatchObject({ issuer: issuers.issuerOf(kind), workspace })
    // The texts alone, and no address of a person.
    expect(run.claims).toEqual({ ...texts, iss: run.issuer, aud: audience, jti })
    // It is remembered for longer than it would be accepted.
    expect(run.expires_at).toBeGreaterThan(exp + 5)
    runs.stop()
  },
)

test('keys are fetched when a token of their issuer arrives, and not before or for others', async () => {
  const before = issuers.reads()
  const runs = verifier()
  await expect(runs.verify('eyJhbGciOiJub25lIn0.e30.AA')).rejects.toMatchObject({ tag: 'Unauthorized' })
  expect(issuers.reads()).toBe(before)
  await runs.verify(await issuers.token('github', audience))
  await runs.verify(await issuers.token('github', audience))
  expect(issuers.reads()).toBe(before + 1)
  runs.stop()
})

const past = Math.floor(Date.now() / 1000) - 3700
test.each<[string, string | string[], Record<string, unknown>, object?]>([
  ['for another product', `https://other.test/${workspace}`, {}],
  ['for the product alone', publicUrl, {}],
  ['for no workspace', `${publicUrl}/`, {}],
  ['for something below a workspace', `${audience}/x`, {}],
  ['for several audiences', [audience, 'https://other.test'], {}],
  ['for a list with one audience', [audience], {}],
  ['with the default audience of GitHub', 'https://github.com/acme', {}],
  ['that has expired', audience, { exp: past + 60 }],
  ['that is older than an hour', audience, { iat: past, exp: past + 9999 }],
  ['of the future', audience, { iat: past + 9999, exp: past + 19_999 }],
  ['that is not yet valid', audience, { nbf: past + 9999 }],
  ['without an id', audience, { jti: undefined }],
  ['whose id is no text', audience, { jti: 7 }],
  ['without a subject', audience, { sub: undefined }],
  ['of an issuer that is not trusted', audience, { iss: 'https://tenant.example' }],
  ['that is an access token', audience, {}, { typ: 'at+jwt' }],
  ['with another key', audience, {}, { kid: 'other' }],
])('a token %s is refused', async (_, aud, claims, header) => {
  const runs = verifier()
  const token = await issuers.token('github', aud as string, claims, header)
  await expect(runs.verify(token)).rejects.toMatchObject({ tag: 'Unauthorized' })
  runs.stop()
})

test.each(['pull_request_target', 'workflow_run'])(
  'a run of %s is refused, whatever a trust says',
  async event_name => {
    const runs = verifier()
    const token = await issuers.token('github', audience, { event_name })
    await expect(runs.verify(token)).rejects.toMatchObject({
      tag: 'Forbidden',
      message: expect.stringContaining(event_name),
    })
    runs.stop()
  },
)

test('a token is refused for now where its keys cannot be read', async () => {
  const runs = verifier(
    issuers.workloads.replaceAll('/keys', '/nowhere').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1'),
  )
  const token = await issuers.token('github', audience)
  await expect(runs.verify(token)).rejects.toMatchObject({ tag: 'Unavailable' })
  runs.stop()
})
