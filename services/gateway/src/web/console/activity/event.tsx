import { activity } from '@svc/contract/activity/activity'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import { Card, Fact, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { Subject } from './event-feed.tsx'
import { readNames } from './event-names.ts'
import { byWhom, eventText, sentenceOf } from './event-text.ts'

export function eventPage({ get }: ConsolePages) {
  get('/activity/:id', async scene => {
    const params = { id: scene.params.id ?? '' }
    const event = await scene.invoke(activity, 'get_event', { params })
    const names = await readNames(scene, [
      event,
      ...(event.actor?.id ? [{ aggregate_id: event.actor.id }] : []),
    ])
    const { id, type, aggregate_id, actor, changes, data, request_id, created_at, sequence } = event
    return scene.show(
      <ConsolePage
        scene={scene}
        title={eventText(type)}
        part="/activity"
        crumbs={[{ label: 'Activity', path: '/activity' }]}
      >
        <PageHead title={eventText(type)} id={id} text={sentenceOf(event, scene, names)} />
        <Card name="facts">
          <dl class="facts">
            <Fact label="Type">
              <code>{type}</code>
            </Fact>
            <Fact label="Resource">
              <Subject scene={scene} id={aggregate_id} names={names} />
            </Fact>
            <Fact label="When">
              <When at={created_at} now={scene.now} />
            </Fact>
            <Fact label="Actor">{byWhom(event, scene).replace(/^by /, '') || '–'}</Fact>
            {actor?.id && (
              <Fact label="Actor ID">
                <Subject scene={scene} id={actor.id} />
              </Fact>
            )}
            <Fact label="Request ID">{request_id ? <code>{request_id}</code> : '–'}</Fact>
            <Fact label="Sequence">{sequence}</Fact>
          </dl>
        </Card>
        {changes && Object.keys(changes).length > 0 && (
          <Card name="changes" title="Changes">
            <dl class="facts">
              {Object.entries(changes).map(([name, { before, after }]) => (
                <Fact key={name} label={name}>
                  <span class="changes">
                    <del>{JSON.stringify(before)}</del>
                    <ins>{JSON.stringify(after)}</ins>
                  </span>
                </Fact>
              ))}
            </dl>
          </Card>
        )}
        <Card name="data" title="Data">
          <pre class="code">{JSON.stringify(data, null, 2)}</pre>
        </Card>
        <CommandLines call={callOf(scene, activity.operations.get_event, { params })} />
      </ConsolePage>,
    )
  })
}
