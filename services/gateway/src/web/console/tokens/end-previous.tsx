import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import { When } from '../../kit/ui/when.tsx'
import { findToken } from './find-token.ts'

const { end_previous_secret } = authTokens.operations

export function endPreviousPages({ get, post }: ConsolePages) {
  get('/tokens/:id/end-previous', async scene => {
    if (!scene.may(end_previous_secret)) throw refusal('role_too_low')
    const { id, name, previous_expires_at } = await findToken(scene)
    if (previous_expires_at === null) return scene.go('/tokens')
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/tokens"
        crumbs={[{ label: 'API tokens', path: '/tokens' }]}
        question={`End the old secret of “${name}”?`}
        consequence={
          <p>
            It works until <When at={previous_expires_at} now={scene.now} />. Anything that still uses it
            loses access immediately.
          </p>
        }
        button="End now"
        action={`/tokens/${id}/end-previous`}
        back="/tokens"
        call={callOf(scene, end_previous_secret, { params: { id } })}
      />,
    )
  })

  post('/tokens/:id/end-previous', async scene => {
    await scene.invoke(authTokens, 'end_previous_secret', { params: { id: scene.params.id ?? '' } })
    return scene.go('/tokens', 'saved')
  })
}
