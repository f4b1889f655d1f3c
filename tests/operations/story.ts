/** What people have that must survive an operator's work: credentials, settings, and a secret that only its key opens. */
import type { DevFile } from '@svc/local/seed-demo'
import { sender } from '@svc/testing/stack/driven-stack'
import { expect } from 'vitest'

export interface Story {
  readonly token: string
  readonly session: string
  readonly jwt: string
  readonly workspace: string
  readonly cluster: string
  readonly settings: object
  readonly install: { readonly id: string; readonly credential: string }
}

export const sealedValue = 'correct horse battery staple'

/** Goes through it once: a token, a JWT, changed settings, and an order whose install keeps a secret. */
export async function tellStory(baseUrl: string, dev: DevFile): Promise<Story> {
  const request = sender(baseUrl)
  const { workspace_id: workspace, cluster_id: cluster } = dev
  const session = dev.owner.session_token
  const send = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    request(method, path, session, { body, workspace, ...(headers && { headers }) })
  const { token } = await send('POST', '/api_tokens', { name: 'story' })
  const { etag } = await send('GET', `/clusters/${cluster}/compute_settings`)
  const settings = { auto_scaling_enabled: true, max_machines: 17 }
  await send('PATCH', `/clusters/${cluster}/compute_settings`, settings, { 'if-match': String(etag) })
  const { id: package_id } = await send('POST', '/packages', { name: 'story' })
  const input_schema = { properties: { key: { type: 'string', format: 'password' } } }
  const { id: package_version_id } = await send('POST', `/packages/${package_id}/versions`, {
    version: '1.0.0',
    input_schema,
  })
  const field_values = { key: { value: sealedValue, locked: false } }
  // With a key, as every offer of the ledger has.
  const offer = { package_version_id, field_values }
  const { short_hash } = await send('POST', '/offers', offer, { 'idempotency-key': 'story' })
  const { id: order } = await send('POST', `/i/${short_hash}/orders`)
  const { install_id } = await send('POST', `/orders/${order}/submit`, { field_values: {} })
  const { credential } = await send('POST', `/installs/${install_id}/credential`)
  return {
    token: String(token),
    session,
    jwt: await exchange(baseUrl, session),
    workspace,
    cluster,
    settings: { auto_scaling: 'active', max_machines: settings.max_machines },
    install: { id: String(install_id), credential: String(credential) },
  }
}

/** Every request of the story that only reads; each throws where it is not answered with 2xx. */
export const readings = (story: Story): ((baseUrl: string) => Promise<unknown>)[] => {
  const { workspace, install } = story
  const settings = `/clusters/${story.cluster}/compute_settings`
  return [
    baseUrl => sender(baseUrl)('GET', '/api_tokens', story.token),
    baseUrl => sender(baseUrl)('GET', '/installs', story.session, { workspace }),
    baseUrl => sender(baseUrl)('GET', settings, story.jwt, { workspace }),
    baseUrl =>
      sender(baseUrl)('GET', `/installs/${install.id}/field_values`, '', {
        headers: { 'svc-install-credential': install.credential },
      }),
  ]
}

/** That all of it is there, and says what it said. */
export async function expectStory(baseUrl: string, story: Story) {
  const answers = await Promise.all(readings(story).map(read => read(baseUrl)))
  expect(answers[2]).toMatchObject(story.settings)
  expect(answers[3]).toEqual({ field_values: { key: sealedValue } })
}

/** A JWT, for which the key that signs is opened. */
export async function exchange(baseUrl: string, session: string): Promise<string> {
  const answer = await fetch(new URL('/oauth/token', baseUrl), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: session,
    }),
  })
  const { access_token } = (await answer.json()) as { access_token?: string }
  expect(access_token).toBeDefined()
  return String(access_token)
}
