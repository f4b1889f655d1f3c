import { activity } from '@svc/contract/activity/activity'
import { Form } from '../../kit/forms/form.tsx'
import { Card, Fact, Follows, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { Subject } from '../activity/event-feed.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { Attempts, deliveryBadges, isDue } from './attempts.tsx'

const { get_webhook_delivery, redeliver_webhook } = activity.operations

export function deliveryPage({ get }: ConsolePages) {
  get('/webhooks/:id/deliveries/:delivery_id', async scene => {
    const { id: endpoint = '', delivery_id = '' } = scene.params
    const params = { id: endpoint, delivery_id }
    const delivery = await scene.invoke(activity, 'get_webhook_delivery', { params })
    const { id, type, state, aggregate_id, created_at } = delivery
    const path = `/webhooks/${endpoint}`
    return scene.show(
      <ConsolePage
        scene={scene}
        title={`Delivery of ${type}`}
        part="/webhooks"
        crumbs={[
          { label: 'Webhooks', path: '/webhooks' },
          { label: endpoint, path },
        ]}
      >
        <PageHead title={type} id={id} badge={deliveryBadges[state]}>
          <Form action={`${scene.root}${path}/redeliver`} csrf={scene.visit.csrf} hidden={{ id }}>
            <button type="submit" class="button second">
              Resend
            </button>
          </Form>
        </PageHead>
        {isDue(delivery, scene.now) && <Follows />}
        <Card name="facts">
          <dl class="facts">
            <Fact label="Resource">
              <Subject scene={scene} id={aggregate_id} />
            </Fact>
            <Fact label="When">
              <When at={created_at} now={scene.now} />
            </Fact>
            <Fact label="Attempts">
              <Attempts delivery={delivery} now={scene.now} />
            </Fact>
          </dl>
        </Card>
        {delivery.request && <Exchange request={delivery.request} response={delivery.response} />}
        <CommandLines
          call={callOf(scene, get_webhook_delivery, { params })}
          more={[['Resend', callOf(scene, redeliver_webhook, { params })]]}
        />
      </ConsolePage>,
    )
  })
}

type Details = Answer<'get_webhook_delivery'>

const Exchange = ({
  request: { headers, body },
  response,
}: {
  readonly request: NonNullable<Details['request']>
  readonly response: Details['response']
}) => (
  <>
    <Card name="request" title="Request" text="As the last attempt sent it, without the signature.">
      <pre class="code">
        {Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}\n`)
          .join('')}
        {`\n${body}`}
      </pre>
    </Card>
    <Card name="response" title="Response" text="The first 2 KB, as text. Kept for 7 days.">
      {response ? (
        <pre class="code">{response.body}</pre>
      ) : (
        <p class="hint">
          Nothing to show: the response was empty, a redirect or older than 7 days, or there was none.
        </p>
      )}
    </Card>
  </>
)
