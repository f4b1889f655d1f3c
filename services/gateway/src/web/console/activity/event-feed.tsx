import { pageOf } from '../shell/search.ts'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { When } from '../../kit/ui/when.tsx'
import { byWhom, eventText } from './event-text.ts'

interface EventFeedProps {
  readonly scene: Scene
  readonly events: readonly Item<'list_events'>[]
}

export function EventFeed({ scene, events }: EventFeedProps) {
  if (events.length === 0) {
    return <p class="hint">No activity yet. Actions by your team and your customers appear here.</p>
  }
  return (
    <ul class="feed">
      {events.map(event => (
        <li key={event.id}>
          <span>
            <a href={`${scene.root}/activity/${event.id}`}>{eventText(event.type)}</a>
            {!event.type.startsWith('orders.awaiting_') && (
              <span class="hint long"> {byWhom(event, scene)}</span>
            )}
          </span>
          <When at={event.created_at} now={scene.now} />
        </li>
      ))}
    </ul>
  )
}

export function Subject({ scene, id }: { readonly scene: Scene; readonly id: string }) {
  // A member's id is `<workspace>/<user>`.
  const last = id.slice(id.lastIndexOf('/') + 1)
  const path = pageOf(last)
  return path ? (
    <a href={scene.root + path}>
      <code>{last}</code>
    </a>
  ) : (
    <code>{id}</code>
  )
}
