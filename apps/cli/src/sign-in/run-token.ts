/** The ID token of the CI run that this process is a part of. */
import { ConnectionError, connectionReason, environmentFetch } from '@svc/client'
import { exitCodes, Failure } from '../failure.ts'

const timeoutMs = 10_000

/**
 * GitHub Actions makes one for an audience when it is asked (docs.github.com, "OpenID Connect reference"); elsewhere, as in
 * GitLab, a variable has it.
 *
 * @throws Failure if there is none, saying what the job lacks
 */
export async function runToken(
  env: NodeJS.ProcessEnv,
  audience: string,
  signal: AbortSignal,
): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token, SVC_ID_TOKEN } = env
  if (SVC_ID_TOKEN) return SVC_ID_TOKEN.trim()
  if (url && token) return requestToken(url, token, audience, signal)
  throw new Failure(
    exitCodes.notSignedIn,
    'This run has no ID token. GitHub Actions: give the job "permissions: id-token: write". GitLab: give it "id_tokens" with SVC_ID_TOKEN.',
  )
}

async function requestToken(
  url: string,
  token: string,
  audience: string,
  signal: AbortSignal,
): Promise<string> {
  const asked = new URL(url)
  asked.searchParams.set('audience', audience)
  try {
    const response = await environmentFetch(asked, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const { value } = (await response.json().catch(() => ({}))) as { value?: unknown }
    if (response.ok && typeof value === 'string') return value
    throw new Failure(
      exitCodes.failed,
      `GitHub Actions gave no ID token (status ${response.status}). Has the job "permissions: id-token: write"?`,
    )
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure) throw error
    throw new ConnectionError(`Could not connect (${connectionReason(error)}): ${asked.origin}`, {
      cause: error,
    })
  }
}
