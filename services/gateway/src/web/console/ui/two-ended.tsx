/** Lists with a first and a last page. The last one is read from the other end, and shown newest first as well. */
import { cursorAt } from '@svc/runtime/cursor'
import type { Scene } from '../shell/scene.ts'
import { withQuery } from './list.tsx'

interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

export const newestFirst = <Item,>({ query }: Scene, { data }: Page<Item>): readonly Item[] =>
  query.get('order') === 'asc' ? [...data].reverse() : data

interface TwoEndedProps<Item> {
  readonly scene: Scene
  readonly list: Page<Item>
  /** The id by which the list is ordered. */
  readonly idOf: (item: Item) => string
}

export function TwoEndedPager<Item>({ scene, list: { data, next_cursor }, idOf }: TwoEndedProps<Item>) {
  const isBackwards = scene.query.get('order') === 'asc'
  const [first] = data
  // Back over the page that was read: there is something, since the way here led over it.
  const back = first && scene.query.has('cursor') ? cursorAt(idOf(first)) : null
  const [newer, older] = isBackwards ? [next_cursor, back] : [back, next_cursor]
  const to = (label: string, order?: 'asc', cursor?: string) => (
    <a class="button second" href={withQuery(scene, { order, cursor })}>
      {label}
    </a>
  )
  const isFirst = !isBackwards && !scene.query.has('cursor')
  if (isFirst && !older) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      {!isFirst && to('First page')}
      {newer && to('Previous page', 'asc', newer)}
      {older && to('Next page', undefined, older)}
      {older && to('Last page', 'asc')}
    </nav>
  )
}
