import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import { When } from '../../kit/ui/when.tsx'
import { findToken } from './find-token.ts'

const { revoke_api_token } = authTokens.operations

export function revokeTokenPages({ get, post }: ConsolePages) {
  get('/tokens/:id/revoke', async scene => {
    if (!scene.may(revoke_api_token)) throw refusal('role_too_low')
    const { id, name, last_used_at } = await findToken(scene)
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/tokens"
        crumbs={[{ label: 'API tokens', path: '/tokens' }]}
        question={`Revoke “${name}”?`}
        consequence={
          <ul>
            <li>Anything using this token loses access immediately. This can’t be undone.</li>
            <li>
              Last used: <When at={last_used_at} now={scene.now} none="never" />
            </li>
          </ul>
        }
        button="Revoke token"
        action={`/tokens/${id}/revoke`}
        back="/tokens"
        call={callOf(scene, revoke_api_token, {
          params: { id },
        })}
      />,
    )
  })

  post('/tokens/:id/revoke', async scene => {
    await scene.invoke(authTokens, 'revoke_api_token', { params: { id: scene.params.id ?? '' } })
    return scene.go('/tokens', 'revoked')
  })
}
