import { offers } from '@svc/contract/offers/offers'
import { refusal } from '@svc/contract/core/errors'
import { FieldValues } from '../../kit/offers/field-values.tsx'
import { ClusterLink, type FoundCluster } from '../../kit/visit/cluster-link.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import { SecretPage } from '../forms/secret-page.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { MarkdownView } from '../../kit/ui/markdown-view.tsx'
import { Action, Card, Fact, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { InstallBadge, orderPath } from './installs-table.tsx'
import { clusterOf } from './names.ts'
import { SubscriptionCard } from './subscription.tsx'

const crumbs = [{ label: 'Installs', path: '/installs' }]
const { remove_install, create_install_credential } = offers.operations

export function installDetail({ get, post }: ConsolePages) {
  get('/installs/:id', async scene => {
    const install = await read(scene)
    const [{ order, offer }, version, cluster] = await Promise.all([
      orderOf(install, scene),
      // Only the seller can read another workspace's version.
      isSold(scene, install)
        ? scene.invoke(offers, 'get_package_version', { params: { id: install.package_version_id } })
        : undefined,
      clusterOf(install, scene),
    ])
    const schema = (version ?? offer)?.input_schema
    return scene.show(<InstallPage {...{ scene, install, order, version, schema, cluster }} />)
  })

  get('/installs/:id/remove', async scene => {
    const install = await read(scene)
    // Its seller may read it, but cannot report anything.
    if (install.workspace_id !== scene.workspace.id) throw refusal('not_found')
    if (install.state === 'removed') return scene.go(`/installs/${install.id}`)
    const { id } = install
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/installs"
        crumbs={[...crumbs, { label: id, path: `/installs/${id}` }]}
        question="Mark this install as removed?"
        consequence={
          <ul>
            <li>This doesn’t uninstall anything. Continue only if it’s no longer running.</li>
            <li>You can delete its cluster afterwards. This can’t be undone.</li>
            {isGoingOn(install) && <li>Its subscription is cancelled at the end of the paid period.</li>}
          </ul>
        }
        button="Mark as removed"
        action={`/installs/${id}/remove`}
        back={`/installs/${id}`}
        call={callOf(scene, remove_install, { params: { id } })}
      />,
    )
  })

  post('/installs/:id/remove', async scene => {
    const { id = '' } = scene.params
    await scene.invoke(offers, 'remove_install', { params: { id } })
    return scene.go(`/installs/${id}`, 'removed')
  })

  get('/installs/:id/credential', async scene => {
    if (!scene.may(create_install_credential)) throw refusal('role_too_low')
    const { id, workspace_id } = await read(scene)
    if (workspace_id !== scene.workspace.id) throw refusal('not_found')
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/installs"
        crumbs={[...crumbs, { label: id, path: `/installs/${id}` }]}
        question="Create a new credential?"
        consequence={
          <p>
            The install uses it to read its own values. Any existing credential stops working immediately.
          </p>
        }
        button="Create credential"
        action={`/installs/${id}/credential`}
        back={`/installs/${id}`}
        call={callOf(scene, create_install_credential, {
          params: { id },
        })}
      />,
    )
  })

  post('/installs/:id/credential', async scene => {
    const { id = '' } = scene.params
    const { credential } = await scene.invoke(offers, 'create_install_credential', { params: { id } })
    return scene.show(
      <SecretPage
        scene={scene}
        part="/installs"
        crumbs={[...crumbs, { label: id, path: `/installs/${id}` }]}
        title="Credential of the install"
        secret={credential}
        text="The install uses it to read its own values. An earlier credential no longer works."
        next={`/installs/${id}`}
      />,
      201,
    )
  })
}

const isGoingOn = ({ subscription }: Answer<'get_install'>) =>
  subscription !== null && subscription.state !== 'ended' && subscription.cancel_at === null

const read = (scene: Scene) => scene.invoke(offers, 'get_install', { params: { id: scene.params.id ?? '' } })

/** Who has bought it reads the version's form as its offer shows it. */
async function orderOf(install: Answer<'get_install'>, scene: Scene) {
  const order = await scene.invoke(offers, 'get_order', { params: { id: install.order_id } })
  if (isSold(scene, install)) return { order, offer: undefined }
  const { short_hash } = order
  return { order, offer: (await scene.invoke(offers, 'resolve_offer', { params: { short_hash } })).offer }
}

const nameOf = ({ workspaces }: Scene, wanted: string) => workspaces.find(({ id }) => id === wanted)?.name

const isSold = ({ workspace }: Scene, { seller_workspace_id }: Answer<'get_install'>) =>
  seller_workspace_id === workspace.id

interface InstallPageProps {
  readonly scene: Scene
  readonly install: Answer<'get_install'>
  readonly order: Answer<'get_order'>
  readonly version: Answer<'get_package_version'> | undefined
  readonly schema: Readonly<Record<string, unknown>> | undefined
  readonly cluster: FoundCluster
}

function InstallPage({ scene, install, order, version, schema, cluster }: InstallPageProps) {
  const { id, state, workspace_id, offer_id, cluster_id, field_values, instructions } = install
  const isOwn = workspace_id === scene.workspace.id
  return (
    <ConsolePage scene={scene} title={`Install of ${order.name}`} part="/installs" crumbs={crumbs}>
      <PageHead title={order.name} id={id} badge={<InstallBadge state={state} />}>
        {state === 'started' && !/lapsed|ended/.test(`${install.subscription?.state}`) && (
          <Action href={`${scene.root}/installs/${id}/licence`}>Download licence</Action>
        )}
        {isOwn && state === 'started' && scene.may(create_install_credential) && (
          <Action href={`${scene.root}/installs/${id}/credential`}>New credential</Action>
        )}
        {isOwn && state === 'started' && (
          <Action href={`${scene.root}/installs/${id}/remove`} look="danger">
            Mark as removed
          </Action>
        )}
      </PageHead>
      {instructions && (
        <Card name="instructions" title={isOwn ? 'What to do now' : 'What the customer does now'}>
          <MarkdownView text={instructions} />
        </Card>
      )}
      <SubscriptionCard scene={scene} install={install} terms={order.terms} />
      <Card name="facts" title="Details">
        <dl class="facts">
          <Fact label="Owner">
            {isOwn ? 'This workspace' : (nameOf(scene, workspace_id) ?? <code>{workspace_id}</code>)}
          </Fact>
          <Fact label="Order">
            <a href={orderPath(scene, install)}>{order.reference}</a>
          </Fact>
          <Fact label="Offer">
            <a href={isSold(scene, install) ? `${scene.root}/offers/${offer_id}` : `/i/${order.short_hash}`}>
              {offer_id}
            </a>
          </Fact>
          <Fact label="Version">
            {version ? (
              <a href={`${scene.root}/catalogue/versions/${version.id}`}>{version.version}</a>
            ) : (
              install.version
            )}
          </Fact>
          <Fact label="Cluster">
            {cluster_id === null ? (
              'None'
            ) : isOwn ? (
              <ClusterLink root={scene.root} id={cluster_id} cluster={cluster} />
            ) : (
              cluster_id
            )}
          </Fact>
          <Fact label="Started">
            <When at={install.created_at} now={scene.now} />
          </Fact>
          {install.removed_at !== null && (
            <Fact label="Removed">
              <When at={install.removed_at} now={scene.now} />
            </Fact>
          )}
        </dl>
      </Card>
      <Card
        name="values"
        title="Values"
        text={
          JSON.stringify(field_values).includes('"$sealed":true') &&
          'Passwords are sealed: only the install reads them, with its credential.'
        }
      >
        {Object.keys(field_values).length > 0 ? (
          <FieldValues values={field_values} schema={schema ?? anySchema(field_values)} />
        ) : (
          <p class="hint">This install has no values.</p>
        )}
      </Card>
      <CommandLines
        call={callOf(scene, offers.operations.get_install, {
          params: { id },
        })}
      />
    </ConsolePage>
  )
}

const anySchema = (values: object) => ({
  properties: Object.fromEntries(Object.keys(values).map(name => [name, {}])),
})
