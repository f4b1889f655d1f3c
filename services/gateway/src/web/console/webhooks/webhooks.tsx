import { activity } from '@svc/contract/activity/activity'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Pager, Table } from '../ui/list.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../../kit/ui/when.tsx'
import { editEndpointPages } from './edit-endpoint.tsx'
import { EndpointBadge } from './endpoint-badge.tsx'
import { deliveryPage } from './delivery.tsx'
import { endpointPage } from './endpoint.tsx'
import { endpointSteps } from './endpoint-steps.tsx'

const { list_webhook_endpoints } = activity.operations

export function webhookPages(pages: ConsolePages) {
  editEndpointPages(pages)
  endpointPage(pages)
  deliveryPage(pages)
  endpointSteps(pages)

  pages.get('/webhooks', async scene => {
    const query = queryOf(scene, list_webhook_endpoints.query)
    const { data, next_cursor } = await scene.invoke(activity, 'list_webhook_endpoints', { query })
    return scene.show(
      <ConsolePage scene={scene} title="Webhooks" part="/webhooks">
        <PageHead title="Webhooks" text="Send this workspace’s events to your own systems as they happen.">
          <Action href={`${scene.root}/webhooks/new`} look="main" icon="plus">
            Add endpoint
          </Action>
        </PageHead>
        <Card name="endpoints">
          {data.length > 0 ? (
            <Table label="Webhook endpoints" items={data} keyOf={({ id }) => id} columns={columnsOf(scene)} />
          ) : (
            <Empty
              icon="webhook"
              title="No endpoints yet"
              action={{ href: `${scene.root}/webhooks/new`, label: 'Add an endpoint' }}
            >
              Every event is signed and retried until it’s delivered. You can resend any of them from here.
            </Empty>
          )}
        </Card>
        <Pager scene={scene} next={next_cursor} />
        <CommandLines call={callOf(scene, list_webhook_endpoints, { query })} />
      </ConsolePage>,
    )
  })
}

const columnsOf = (scene: Scene): Column<Item<'list_webhook_endpoints'>>[] => [
  {
    label: 'Endpoint',
    value: ({ id, url, description }) => (
      <>
        <a class="long" href={`${scene.root}/webhooks/${id}`}>
          {url}
        </a>
        <p class="hint long">{description}</p>
      </>
    ),
  },
  { label: 'State', value: endpoint => <EndpointBadge endpoint={endpoint} /> },
  { label: 'Events', isExtra: true, value: ({ event_types }) => <code>{event_types.join(', ')}</code> },
  {
    label: 'Last successful delivery',
    value: ({ last_delivered_at }) => <When at={last_delivered_at} now={scene.now} none="Never" />,
  },
]
