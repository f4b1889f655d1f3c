import { activity } from '@svc/contract/activity/activity'
import { Form } from '../../kit/forms/form.tsx'
import { Subject } from '../activity/event-feed.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Answer, Item } from '../ui/answers.ts'
import { type Column, Pager, Table, Tabs } from '../ui/list.tsx'
import { Action, Card, Fact, Follows, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { Attempts, deliveryBadges, isDue } from './attempts.tsx'
import { EndpointBadge } from './endpoint-badge.tsx'

const { operations } = activity

interface EndpointPageProps {
  readonly scene: Scene
  readonly endpoint: Answer<'get_webhook_endpoint'>
  readonly deliveries: Answer<'list_webhook_deliveries'>
}

export function EndpointPage({ scene, endpoint, deliveries }: EndpointPageProps) {
  const { id, url, state } = endpoint
  const path = `${scene.root}/webhooks/${id}`
  const { csrf } = scene.visit
  const line = (name: keyof typeof operations) => callOf(scene, operations[name], { params: { id } })
  return (
    <ConsolePage
      scene={scene}
      title="Webhook endpoint"
      part="/webhooks"
      crumbs={[{ label: 'Webhooks', path: '/webhooks' }]}
    >
      <PageHead title={url} id={id} badge={<EndpointBadge endpoint={endpoint} />}>
        <Form action={`${path}/test`} csrf={csrf}>
          <button type="submit" class="button second">
            Send test event
          </button>
        </Form>
        <Form action={`${path}/${state === 'active' ? 'pause' : 'resume'}`} csrf={csrf}>
          <button type="submit" class="button second">
            {state === 'active' ? 'Pause' : 'Resume'}
          </button>
        </Form>
        <Action href={`${path}/edit`}>Edit</Action>
        <Action href={`${path}/rotate`}>Rotate secret</Action>
        <Action href={`${path}/delete`} look="danger">
          Delete
        </Action>
      </PageHead>
      {state === 'disabled' && (
        <p class="warning">
          {endpoint.disabled_reason === 'gone'
            ? 'Disabled because it returned 410 (Gone). '
            : 'Disabled after five days without a successful delivery. '}
          Events are queued: fix the endpoint, then resume.
        </p>
      )}
      <Card name="facts">
        <dl class="facts">
          {endpoint.description && <Fact label="Description">{endpoint.description}</Fact>}
          <Fact label="Events">
            <code>{endpoint.event_types.join(', ')}</code>
          </Fact>
          <Fact label="Last successful delivery">
            <When at={endpoint.last_delivered_at} now={scene.now} none="Never" />
          </Fact>
          {endpoint.failing_since !== null && (
            <Fact label="Failing since">
              <When at={endpoint.failing_since} now={scene.now} />
            </Fact>
          )}
          {endpoint.previous_secret_expires_at !== null && (
            <Fact label="Old secret expires">
              <When at={endpoint.previous_secret_expires_at} now={scene.now} />
            </Fact>
          )}
        </dl>
      </Card>
      <Card name="deliveries" title="Deliveries">
        <Tabs
          scene={scene}
          label="States of deliveries"
          name="state"
          choices={[
            ['', 'All'],
            ['pending', 'Pending'],
            ['delivered', 'Delivered'],
            ['failed', 'Failed'],
          ]}
        />
        {state === 'active' && deliveries.data.some(one => isDue(one, scene.now)) && <Follows />}
        {deliveries.data.length > 0 ? (
          <Table
            label="Deliveries"
            items={deliveries.data}
            keyOf={({ id }) => id}
            columns={columnsOf(scene, path)}
          />
        ) : (
          <p class="hint">No deliveries yet. Send a test event to check that the endpoint responds.</p>
        )}
      </Card>
      <Pager scene={scene} next={deliveries.next_cursor} />
      <CommandLines
        call={line('list_webhook_deliveries')}
        more={[
          ['Send a test event', line('create_test_delivery')],
          state === 'active'
            ? ['Pause', line('pause_webhook_endpoint')]
            : ['Resume', line('resume_webhook_endpoint')],
          ...deliveries.data.slice(0, 1).map(({ id: delivery_id }) => {
            const params = { id, delivery_id }
            const details = { params }
            return ['Resend a delivery', callOf(scene, operations.redeliver_webhook, details)] as const
          }),
        ]}
      />
    </ConsolePage>
  )
}

type Delivery = Item<'list_webhook_deliveries'>

const columnsOf = (scene: Scene, path: string): Column<Delivery>[] => [
  {
    label: 'Event',
    value: ({ id, type, aggregate_id }) => (
      <>
        <a href={`${path}/deliveries/${id}`}>
          <code>{type}</code>
        </a>
        <p class="hint">
          <Subject scene={scene} id={aggregate_id} />
        </p>
      </>
    ),
  },
  { label: 'State', value: ({ state }) => deliveryBadges[state] },
  { label: 'When', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
  { label: 'Attempts', value: delivery => <Attempts delivery={delivery} now={scene.now} /> },
  {
    label: 'Actions',
    value: ({ id, type }) => (
      <Form action={`${path}/redeliver`} csrf={scene.visit.csrf} hidden={{ id }}>
        <button type="submit" class="quiet" aria-label={`Resend: ${type}, ${id}`}>
          Resend
        </button>
      </Form>
    ),
  },
]
