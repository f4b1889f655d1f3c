/** Runs of CI jobs and trusts for them, over the bus: as the gateway calls it once it has verified an ID token. */
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential } from '@svc/runtime/credential'
import { randomUUID } from 'node:crypto'

const issuer = 'https://token.actions.githubusercontent.com'

/** A job of a repository of its own. */
export function newJob() {
  const pinned = {
    repository_id: randomUUID() as string,
    repository_owner_id: '9919421',
    workflow_ref: 'acme/shop/.github/workflows/release.yml@refs/heads/main',
  }
  return {
    /** The body of `create_ci_trust`. */
    trust: { name: 'shop', issuer, claims: pinned, permissions: 'ci' as const },
    /** The body of `exchange_id_token` for a run. @param jti of its ID token */
    run: (workspace: string, jti: string = randomUUID(), more: Record<string, string> = {}) => ({
      workspace,
      issuer,
      token_hash: hashCredential(jti),
      expires_at: Math.floor(Date.now() / 1000) + 300,
      claims: { repository: 'acme/shop', run_id: '17345', ref: 'refs/heads/main', ...pinned, ...more },
    }),
  }
}
export type Run = ReturnType<ReturnType<typeof newJob>['run']>

/** @param call with the gateway's permissions */
export const exchangeRun = (call: CallBus, body: Run) =>
  invoke(call, authTokens, 'exchange_id_token', { caller: { kind: 'internal', id: 'gateway' }, body })
