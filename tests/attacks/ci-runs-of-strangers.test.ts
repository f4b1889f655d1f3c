// Strangers who want the token of a workspace's CI job: by runs of their own, and by ID tokens that they have seen.
import { newJob } from '@svc/testing/ci-runs'
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { joinProduct } from '@svc/testing/stack/join-product'
import { expect, test } from 'vitest'
import { idTokenType, startRunIssuers } from '../../services/gateway/test/edge/oauth/ci-scene.ts'
import { tokenExchangeGrant } from '../../services/gateway/test/edge/oauth/oauth-scene.ts'
import { startGatewayHere } from '../../services/gateway/test/gateway-here.ts'
import { made, startHttpScene } from '../../services/offers/test/http-scene.ts'

const job = newJob()
const claims = { ...job.trust.claims, repository: 'acme/shop' }

const scene = forFile(async () => {
  const [http, issuers] = await Promise.all([startHttpScene(joinProduct), startRunIssuers()])
  const { stack } = http
  const gateways = await Promise.all(
    [1, 2].map(() => startGatewayHere(stack, { workloads: issuers.workloads })),
  )
  const trust = await made(
    http.as(stack.dev.owner.session_token, { 'svc-context': stack.dev.workspace_id }),
    '/ci_trusts',
    job.trust,
  )
  return {
    ...{ trust, issuers },
    audience: `${new URL(stack.dev.base_url).origin}/${stack.dev.workspace_id}`,
    async exchange(subject_token: string, at = 0) {
      const form = { grant_type: tokenExchangeGrant, subject_token, subject_token_type: idTokenType }
      const body = new URLSearchParams(form)
      const response = await fetch(`${gateways[at]?.url}/oauth/token`, { method: 'POST', body })
      const answer = (await response.json()) as Record<string, string>
      return {
        status: response.status,
        token: answer.access_token,
        why: answer.error_description ?? answer.error,
      }
    },
    async stop() {
      await Promise.all(gateways.map(gateway => gateway.stop()))
      await issuers.stop()
      await http.stop()
    },
  }
})

test('an ID token that many send at once, over two gateways, is good for one token', async () => {
  const idToken = await scene.issuers.token('github', scene.audience, claims)
  const answers = await Promise.all(
    Array.from({ length: sized(20, 200) }, (_, n) => scene.exchange(idToken, n % 2)),
  )
  expect(answers.filter(({ token }) => token)).toHaveLength(1)
  expect(new Set(answers.filter(({ token }) => !token).map(({ status, why }) => `${status} ${why}`))).toEqual(
    new Set(['400 This ID token was exchanged before. Each is good for one exchange.']),
  )
})

const noTrust = /^No CI trust of the workspace matches this run/
test.each<[string, Record<string, string>, RegExp, string?]>([
  ['of a fork', { repository_id: '3', repository_owner_id: '4', repository: 'mallory/shop' }, noTrust],
  ['of a repository under the name of a renamed one', { repository_id: '2' }, noTrust],
  ['of another branch', { workflow_ref: claims.workflow_ref.replace('main', 'dev') }, noTrust],
  [
    'of a pull request from outside',
    { event_name: 'pull_request_target' },
    /pull_request_target are not trusted/,
  ],
  ['after another workflow', { event_name: 'workflow_run' }, /workflow_run are not trusted/],
  ['of an issuer of their own', { iss: 'https://mallory.example' }, /not an ID token of a trusted issuer/],
  ['with an ID token for another product', {}, /its aud is not/, 'https://other.example/ws_1'],
])('a run %s gets no token, and learns why', async (_, other, why, audience = scene.audience) => {
  const idToken = await scene.issuers.token('github', audience, { ...claims, ...other })
  expect(await scene.exchange(idToken)).toEqual({
    status: 400,
    token: undefined,
    why: expect.stringMatching(why),
  })
})

test('an ID token that was made for another workspace is worth nothing here', async () => {
  const another = scene.audience.replace(/ws_.*/, 'ws_01h455vb4pex5vsknk084sn02q')
  const { token, why } = await scene.exchange(await scene.issuers.token('github', another, claims))
  expect([token, why]).toEqual([undefined, expect.stringMatching(noTrust)])
})
