import { offers } from '@svc/contract/offers/offers'
import { Form } from '../../kit/forms/form.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Answer, Item } from '../ui/answers.ts'
import { Pager, Table } from '../ui/list.tsx'
import { Action, Badge, Card, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { ChannelBadge } from './channel-badge.tsx'
import { crumbsOf } from './crumbs.ts'
import { shownName } from './names.ts'

const { update_product, delete_product, get_product } = offers.operations

interface ProductPageProps {
  readonly scene: Scene
  readonly product: Answer<'get_product'>
  readonly pkg: Answer<'get_package'>
  readonly versions: Answer<'list_package_versions'>
  readonly channels: readonly Item<'list_offer_channels'>[]
  readonly problem: string | undefined
}

export function ProductPage({ scene, product, pkg, versions, channels, problem }: ProductPageProps) {
  const { id, package_id, current_package_version_id: current } = product
  const name = shownName(product)
  const path = `${scene.root}/catalogue/products/${id}`
  return (
    <ConsolePage
      scene={scene}
      title={name}
      part="/catalogue"
      crumbs={crumbsOf('products')}
      failed={!!problem}
    >
      <PageHead
        title={name}
        id={id}
        text={
          <>
            Package: <a href={`${scene.root}/catalogue/packages/${package_id}`}>{shownName(pkg)}</a>
          </>
        }
      >
        <Action href={`${scene.root}/offers/new?product_id=${id}`} look="main" icon="tag">
          New offer
        </Action>
        <Action href={`${path}/rename`}>Rename</Action>
        {scene.may(delete_product) && (
          <Action href={`${path}/delete`} look="danger">
            Delete
          </Action>
        )}
      </PageHead>
      {problem && (
        <p class="summary" role="alert">
          {problem}
        </p>
      )}
      <Card
        name="versions"
        title="Versions"
        text="New offers use the current version by default. Existing offers keep theirs."
        actions={
          <Action href={`${scene.root}/catalogue/packages/${package_id}/versions/new`} icon="plus">
            New version
          </Action>
        }
      >
        <Table
          label="Versions"
          items={versions.data}
          keyOf={one => one.id}
          columns={[
            {
              label: 'Version',
              value: one => (
                <>
                  <a href={`${scene.root}/catalogue/versions/${one.id}`}>{one.version}</a>{' '}
                  {one.id === current && <Badge look="good">Current</Badge>}
                </>
              ),
            },
            { label: 'Published', value: one => <When at={one.created_at} now={scene.now} /> },
            {
              label: 'Actions',
              value: one =>
                one.id !== current && (
                  <Form action={`${path}/version`} csrf={scene.visit.csrf} hidden={{ version: one.id }}>
                    <button type="submit" class="quiet" aria-label={`Set as current: ${one.version}`}>
                      Set as current
                    </button>
                  </Form>
                ),
            },
          ]}
        />
        <Pager scene={scene} next={versions.next_cursor} />
      </Card>
      <Card
        name="channels"
        title="Terms"
        text="Saved price, approval and payment. A new offer saves its own."
        actions={
          <Action href={`${scene.root}/catalogue/channels/new?product_id=${id}`} icon="plus">
            New terms
          </Action>
        }
      >
        {channels.length > 0 ? (
          <Table
            label="Terms"
            items={channels}
            keyOf={one => one.id}
            columns={[
              {
                label: 'Terms',
                value: one => <a href={`${scene.root}/catalogue/channels/${one.id}`}>{shownName(one)}</a>,
              },
              { label: 'State', value: one => <ChannelBadge status={one.status} /> },
              { label: 'Active revision', isNumber: true, value: one => one.active_policy ?? '–' },
            ]}
          />
        ) : (
          <p class="hint">No terms yet. A new offer makes those that it needs.</p>
        )}
      </Card>
      <CommandLines
        call={callOf(scene, get_product, { params: { id } })}
        more={versions.data.slice(0, 1).map(newest => {
          const fixed = { current_package_version_id: newest.id }
          const details = {
            params: { id },
            fixed,
          }
          return [`Set ${newest.version} as current`, callOf(scene, update_product, details)]
        })}
      />
    </ConsolePage>
  )
}
