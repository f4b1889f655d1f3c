import { refusal } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import { attempt } from '../../kit/forms/submitted.ts'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Action, Badge, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { Table } from '../ui/list.tsx'

const { list_licence_keys, rotate_licence_key } = offers.operations
const settings = { label: 'Settings', path: '/settings' }
const crumbs = [settings, { label: 'Licence keys', path: '/settings/licence-keys' }]

export function licenceKeyPages({ get, post }: ConsolePages) {
  get('/settings/licence-keys', async scene => {
    const { keys } = await scene.invoke(offers, 'list_licence_keys', { params: paramsOf(scene) })
    return scene.show(<KeysPage scene={scene} kids={keys.map(({ kid }) => kid)} />)
  })

  get('/settings/licence-keys/rotate', async scene => {
    if (!scene.may(rotate_licence_key)) throw refusal('role_too_low')
    return scene.show(confirmation(scene))
  })

  post('/settings/licence-keys/rotate', async scene => {
    const sent = await attempt([], () =>
      scene.invoke(offers, 'rotate_licence_key', { params: paramsOf(scene) }),
    )
    if ('done' in sent) return scene.go('/settings/licence-keys', 'rotated')
    return scene.show(confirmation(scene, sent.refused.problems), sent.refused.status)
  })
}

const paramsOf = ({ workspace }: Scene) => ({ id: workspace.id })

function KeysPage({ scene, kids }: { readonly scene: Scene; readonly kids: readonly string[] }) {
  const params = paramsOf(scene)
  return (
    <ConsolePage scene={scene} title="Licence keys" part="/settings" crumbs={[settings]}>
      <PageHead
        title="Licence keys"
        text={
          <>
            Your program verifies licences of installs with these public keys, without a network.{' '}
            <a href="/docs/licences">How it’s done</a>
          </>
        }
      >
        <Action href={`${scene.apiUrl}/workspaces/${params.id}/licence_keys`}>View as JSON</Action>
        {scene.may(rotate_licence_key) && (
          <Action href={`${scene.root}/settings/licence-keys/rotate`} look="danger">
            Rotate
          </Action>
        )}
      </PageHead>
      <Card name="keys">
        {kids.length > 0 ? (
          <Table
            label="Licence keys"
            items={kids}
            keyOf={kid => kid}
            columns={[
              { label: 'Key', value: kid => <code>{kid}</code> },
              {
                label: 'State',
                value: kid =>
                  kid === kids[0] ? <Badge look="good">Signs</Badge> : <Badge look="quiet">Retired</Badge>,
              },
            ]}
          />
        ) : (
          <Empty icon="key" title="No keys yet">
            The first one is made with the first licence.
          </Empty>
        )}
      </Card>
      <CommandLines call={callOf(scene, list_licence_keys, { params })} />
    </ConsolePage>
  )
}

const confirmation = (scene: Scene, problems?: Problems) => (
  <ConfirmPage
    scene={scene}
    part="/settings"
    crumbs={crumbs}
    question="Sign licences with a new key?"
    consequence={
      <ul>
        <li>Programs that keep a copy of your keys need the new one for licences issued from now on.</li>
        <li>The current key stays published for 400 days, but signs no more. This can’t be undone.</li>
      </ul>
    }
    button="Rotate key"
    action="/settings/licence-keys/rotate"
    back="/settings/licence-keys"
    problems={problems}
    call={callOf(scene, rotate_licence_key, { params: paramsOf(scene) })}
  />
)
