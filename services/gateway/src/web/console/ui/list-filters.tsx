/** What the lists of offers and of orders are narrowed by, besides their tabs. Days are in UTC. */
import type { z } from 'zod'
import type { Scene } from '../shell/scene.ts'
import { withQuery } from './list.tsx'
import { queryOf } from './query-of.ts'

const secondsInDay = 86_400

const days = [
  ['from', 'after', 'From (UTC)', 0],
  ['to', 'before', 'To (UTC)', secondsInDay],
] as const

const ofPages = ['limit', 'cursor', 'order']

export function listQueryOf(scene: Scene, schema: z.ZodObject) {
  const query: Record<string, string> = { limit: '100', ...queryOf(scene, schema) }
  for (const [name, filter, , more] of days) {
    const at = Date.parse(`${scene.query.get(name)}T00:00Z`) / 1000
    if (at >= 0) query[filter] = `${at + more}`
  }
  const filters = Object.fromEntries(Object.entries(query).filter(([name]) => !ofPages.includes(name)))
  return { query, filters }
}

interface Choice {
  readonly id: string
  readonly name: string
}

interface ListFiltersProps {
  readonly scene: Scene
  readonly path: string
  readonly schema: z.ZodObject
  readonly textHint: string
  readonly selects: readonly (readonly [name: string, label: string, items: readonly Choice[]])[]
}

/** Filters that have no field here stay as they are. */
export function ListFilters({ scene, path, schema, textHint, selects }: ListFiltersProps) {
  const shown = selects.filter(([, , items]) => items.length > 1)
  const fields = ['text', ...days.map(([name]) => name), ...shown.map(([name]) => name)]
  const others = Object.entries(queryOf(scene, schema)).filter(
    ([name]) => !fields.includes(name) && !ofPages.includes(name),
  )
  return (
    <form class="filters" method="get" action={scene.root + path}>
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div class="field">
        <label for="text">Contains</label>
        <input
          id="text"
          name="text"
          type="search"
          maxLength={100}
          placeholder={textHint}
          value={scene.query.get('text') ?? ''}
          autocomplete="off"
          spellcheck={false}
        />
      </div>
      {shown.map(([name, label, items]) => (
        <div key={name} class="field">
          <label for={name}>{label}</label>
          <select id={name} name={name}>
            <option value="">All</option>
            {items.map(item => (
              <option key={item.id} value={item.id} selected={item.id === scene.query.get(name)}>
                {item.name}
              </option>
            ))}
          </select>
        </div>
      ))}
      {days.map(([name, , label]) => (
        <div key={name} class="field day">
          <label for={name}>{label}</label>
          <input id={name} name={name} type="date" value={scene.query.get(name) ?? ''} />
        </div>
      ))}
      <button type="submit" class="button second">
        Filter
      </button>
      {fields.some(name => scene.query.get(name)) && (
        <a href={withQuery(scene, Object.fromEntries(fields.map(name => [name, undefined])))}>Clear</a>
      )}
    </form>
  )
}
