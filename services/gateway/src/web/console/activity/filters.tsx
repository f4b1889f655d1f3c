import { events } from '@svc/contract/events'
import type { z } from 'zod'
import type { Scene } from '../shell/scene.ts'
import { eventText } from './event-text.ts'
import { queryOf } from '../ui/query-of.ts'

const types = Object.keys(events)

/** Fields have times in UTC, operations take seconds. */
const times = [
  ['from', 'after', 'From (UTC)'],
  ['to', 'before', 'To (UTC)'],
] as const

export function filtersOf(scene: Scene, schema: z.ZodObject): Record<string, string> {
  const query = queryOf(scene, schema)
  for (const [name, filter] of times) {
    const at = Date.parse(`${scene.query.get(name)}Z`)
    if (at >= 0) query[filter] = `${Math.floor(at / 1000)}`
  }
  return query
}

interface FiltersProps {
  readonly scene: Scene
  readonly query: Readonly<Record<string, string>>
  readonly path: string
  readonly hasCredential?: boolean
}

export function Filters({ scene, query, path, hasCredential }: FiltersProps) {
  const texts = [
    ['aggregate', 'Resource ID'],
    ['actor', 'Actor ID'],
    ...(hasCredential ? [['credential', 'Credential ID'] as const] : []),
  ] as const
  return (
    <form class="filters in-grid" method="get" action={scene.root + path}>
      <div class="field">
        <label for="type">Type</label>
        <select id="type" name="type">
          <option value="">All</option>
          {types.map(type => (
            <option key={type} value={type} selected={type === query.type}>
              {`${eventText(type)} (${type})`}
            </option>
          ))}
        </select>
      </div>
      {texts.map(([name, label]) => (
        <div key={name} class="field">
          <label for={name}>{label}</label>
          <input id={name} name={name} value={query[name] ?? ''} autocomplete="off" spellcheck={false} />
        </div>
      ))}
      {times.map(([name, , label]) => (
        <div key={name} class="field">
          <label for={name}>{label}</label>
          <input id={name} name={name} type="datetime-local" value={scene.query.get(name) ?? ''} />
        </div>
      ))}
      <p class="actions">
        <button type="submit" class="button second">
          Filter
        </button>
        {Object.keys(query).length > 0 && <a href={scene.root + path}>Clear</a>}
      </p>
    </form>
  )
}
