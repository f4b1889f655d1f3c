import type { ComponentChildren } from 'preact'
import type { Scene } from '../shell/scene.ts'

export interface Column<Item> {
  readonly label: string
  readonly value: (item: Item) => ComponentChildren
  readonly isNumber?: boolean
  readonly isExtra?: boolean
}

interface TableProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly columns: readonly Column<Item>[]
}

export const Table = <Item,>({ label, items, keyOf, columns }: TableProps<Item>) => (
  // Where it is wider than the screen it is moved by keys, too.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to have the focus
  <section class="table-frame" aria-label={`Table: ${label}`} tabIndex={0}>
    <table {...as('table')}>
      <thead {...as('rowgroup')}>
        <tr {...as('row')}>
          {columns.map(column => (
            <th key={column.label} scope="col" class={classOf(column)} {...as('columnheader')}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...as('rowgroup')}>
        {items.map(item => (
          <tr key={keyOf(item)} {...as('row')}>
            {columns.map((column, at) =>
              at === 0 ? (
                <th key={column.label} scope="row" {...as('rowheader')}>
                  {column.value(item)}
                </th>
              ) : (
                <td key={column.label} class={classOf(column)} data-label={column.label} {...as('cell')}>
                  {column.value(item)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** When `display` stacks rows, some browsers no longer treat it as a table: so its parts have explicit roles. */
const as = (role: 'table' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'cell') => ({ role })

const classOf = ({ isNumber, isExtra }: Column<never>) =>
  [isNumber && 'number', isExtra && 'extra'].filter(Boolean).join(' ') || undefined

export function withQuery(scene: Scene, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(scene.query)
  query.delete('notice')
  query.delete('cursor')
  // Another filter begins at the first page; the next page of a list is in its order.
  if (!changes.cursor) query.delete('order')
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const [path] = scene.request.url.split('?')
  return query.size > 0 ? `${path}?${query}` : `${path}`
}

interface PagerProps {
  readonly scene: Scene
  readonly next: string | null
  readonly newest?: string
  readonly older?: string
}

export function Pager({ scene, next, newest = 'First page', older = 'Next page' }: PagerProps) {
  const isFirst = !scene.query.has('cursor')
  if (isFirst && !next) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      {!isFirst && (
        <a class="button second" href={withQuery(scene, {})}>
          {newest}
        </a>
      )}
      {next && (
        <a class="button second" href={withQuery(scene, { cursor: next })} rel="next">
          {older}
        </a>
      )}
    </nav>
  )
}

interface OnlyProps {
  readonly scene: Scene
  readonly name: string
  readonly id: string
}

export const Only = ({ scene, name, id }: OnlyProps) => (
  <p class="notice">
    Filtered to <code class="long">{id}</code>.{' '}
    <a href={withQuery(scene, { [name]: undefined })}>Clear filter</a>
  </p>
)

interface TabsProps {
  readonly scene: Scene
  readonly label: string
  readonly name: string
  readonly choices: readonly (readonly [value: string, label: string])[]
}

export function Tabs({ scene, label, name, choices }: TabsProps) {
  const [fallback] = choices[0] ?? ['']
  const chosen = scene.query.get(name) ?? fallback
  return (
    <nav class="tabs" aria-label={label}>
      {choices.map(([value, text], at) => (
        <a
          key={value}
          href={withQuery(scene, { [name]: at === 0 ? undefined : value })}
          aria-current={value === chosen ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}
