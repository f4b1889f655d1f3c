import { pageOf } from '../shell/search.ts'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { When } from '../../kit/ui/when.tsx'
import type { Names } from './event-names.ts'
import { byWhom, eventText, resourceOf } from './event-text.ts'

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

interface SubjectProps {
  readonly scene: Scene
  readonly id: string
  readonly names?: Names
}

export function Subject({ scene, id, names = {} }: SubjectProps) {
  const last = resourceOf(id)
  const path = pageOf(last)
  const name = names[last]
  const shown = name ? <span class="long">{name}</span> : <code>{path ? last : id}</code>
  return (
    <>
      {path ? <a href={scene.root + path}>{shown}</a> : shown}
      {name && (
        <p class="hint small">
          <code>{last}</code>
        </p>
      )}
    </>
  )
}
