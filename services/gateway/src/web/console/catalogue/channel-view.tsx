import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { Pager, Table } from '../ui/list.tsx'
import { Action, Badge, Card, Empty, Fact, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { ChannelBadge } from './channel-badge.tsx'
import { crumbsOf } from './crumbs.ts'
import { shownName } from './names.ts'
import { policyLines } from './policy-text.ts'

const { delete_offer_channel, get_offer_channel } = offers.operations

interface ChannelPageProps {
  readonly scene: Scene
  readonly channel: Answer<'get_offer_channel'>
  readonly product: Answer<'get_product'>
  readonly active: Answer<'get_channel_policy'> | undefined
  readonly policies: Answer<'list_channel_policies'>
}

export function ChannelPage({ scene, channel, product, active, policies }: ChannelPageProps) {
  const { id, status, active_policy } = channel
  const name = shownName(channel)
  const path = `${scene.root}/catalogue/channels/${id}`
  return (
    <ConsolePage scene={scene} title={name} part="/catalogue" crumbs={crumbsOf('channels')}>
      <PageHead
        title={name}
        id={id}
        badge={<ChannelBadge status={status} />}
        text={
          <>
            Sells <a href={`${scene.root}/catalogue/products/${product.id}`}>{shownName(product)}</a>
          </>
        }
      >
        {active_policy !== null && status === 'active' && (
          <Action
            href={`${scene.root}/offers/new?product_id=${product.id}&offer_channel_id=${id}`}
            look="main"
            icon="tag"
          >
            New offer
          </Action>
        )}
        <Action href={`${path}/edit`}>Edit</Action>
        {scene.may(delete_offer_channel) && (
          <Action href={`${path}/delete`} look="danger">
            Delete
          </Action>
        )}
      </PageHead>
      {active && (
        <Card name="active" title={`Active revision (${active.number})`} text="Applies to new offers.">
          <dl class="facts">
            {policyLines(active.policy).map(([label, text]) => (
              <Fact key={label} label={label}>
                <span class="lines">{text}</span>
              </Fact>
            ))}
          </dl>
        </Card>
      )}
      <Card
        name="policies"
        title="Revisions"
        text="Revisions can’t be edited. Each change is a new one; existing offers keep theirs."
        actions={
          <Action href={`${path}/policies/new`} icon="plus">
            New revision
          </Action>
        }
      >
        {policies.data.length > 0 ? (
          <Table
            label="Revisions"
            items={policies.data}
            keyOf={one => `${one.number}`}
            columns={[
              {
                label: 'Revision',
                value: one => (
                  <>
                    <a href={`${path}/policies/${one.number}`}>{`Revision ${one.number}`}</a>{' '}
                    {one.active && <Badge look="good">Active</Badge>}
                  </>
                ),
              },
              { label: 'Price', value: one => policyLines(one.policy)[0]?.[1] },
              { label: 'Created', value: one => <When at={one.created_at} now={scene.now} /> },
              {
                label: 'Actions',
                value: one =>
                  !one.active && <a href={`${path}/policies/${one.number}`}>Review and activate</a>,
              },
            ]}
          />
        ) : (
          <Empty
            icon="tag"
            title="No revision yet"
            action={{ href: `${path}/policies/new`, label: 'Create revision' }}
          >
            You can’t create offers with these terms until a revision is active.
          </Empty>
        )}
        <Pager scene={scene} next={policies.next_cursor} />
      </Card>
      <CommandLines call={callOf(scene, get_offer_channel, { params: { id } })} />
    </ConsolePage>
  )
}
