import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { When } from '../../../kit/ui/when.tsx'
import { callOf } from '../../forms/call-of.ts'
import { ConfirmPage } from '../../forms/confirm-page.tsx'
import type { ConsolePages } from '../../shell/scene.ts'

const { delete_ci_trust } = authTokens.operations

export function deleteTrustPages({ get, post }: ConsolePages) {
  get('/tokens/ci/:id/delete', async scene => {
    if (!scene.may(delete_ci_trust)) throw refusal('role_too_low')
    const params = { id: scene.params.id ?? '' }
    const { id, name, last_used_at } = await scene.invoke(authTokens, 'get_ci_trust', { params })
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/tokens"
        crumbs={[
          { label: 'API tokens', path: '/tokens' },
          { label: 'CI trusts', path: '/tokens/ci' },
        ]}
        question={`Delete “${name}”?`}
        consequence={
          <ul>
            <li>Its runs get no more tokens, and those that are under way lose access immediately.</li>
            <li>
              Last used: <When at={last_used_at} now={scene.now} none="never" />
            </li>
          </ul>
        }
        button="Delete trust"
        action={`/tokens/ci/${id}/delete`}
        back="/tokens/ci"
        call={callOf(scene, delete_ci_trust, { params })}
      />,
    )
  })

  post('/tokens/ci/:id/delete', async scene => {
    await scene.invoke(authTokens, 'delete_ci_trust', { params: { id: scene.params.id ?? '' } })
    return scene.go('/tokens/ci', 'deleted')
  })
}
