import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { z } from 'zod'
import { orUnknown } from '../../kit/forms/refused-as.ts'
import { readList } from '../../kit/visit/read-list.ts'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { eventText, ownTypes } from './event-text.ts'
import { queryOf } from '../ui/query-of.ts'

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
  readonly members: readonly Member[]
  readonly isAudit?: boolean
}

type Member = Pick<Item<'list_members'>, 'id' | 'email' | 'name'>

/** For the choice of who did it; empty if auth-tokens does not answer. */
export async function readMembers({ invoke, workspace }: Scene): Promise<readonly Member[]> {
  const params = { id: workspace.id }
  const members = readList(query => invoke(authTokens, 'list_members', { params, query }))
  return [...((await orUnknown(members)) ?? [])].sort((a, b) => (a.email < b.email ? -1 : 1))
}

export function Filters({ scene, query, path, members, isAudit = false }: FiltersProps) {
  const { actor } = query
  const texts = [
    ['aggregate', 'Resource ID'],
    ...(isAudit ? [['credential', 'Credential ID'] as const] : []),
  ] as const
  return (
    <form class="filters in-grid" method="get" action={scene.root + path}>
      <div class="field">
        <label for="type">Type</label>
        <select id="type" name="type">
          <option value="">All</option>
          {ownTypes(isAudit).map(type => (
            <option key={type} value={type} selected={type === query.type}>
              {`${eventText(type)} (${type})`}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="actor">Person</label>
        <select id="actor" name="actor">
          <option value="">Anyone</option>
          {actor && !members.some(({ id }) => id === actor) && (
            <option value={actor} selected>
              {actor}
            </option>
          )}
          {members.map(({ id, email, name }) => (
            <option key={id} value={id} selected={id === actor}>
              {name ? `${name} (${email})` : email}
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
