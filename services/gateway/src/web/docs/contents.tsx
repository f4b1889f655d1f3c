import { guideGroups } from './guide-names.ts'
import type { ReferenceEntry } from './reference/reference-entry.ts'
import type { Guide } from './render-guide.ts'

export interface DocsProps {
  readonly guides: readonly Guide[]
  readonly reference: readonly ReferenceEntry[]
}

interface ContentsProps extends DocsProps {
  readonly guide?: Guide
  readonly operation?: ReferenceEntry
  readonly isIndex?: boolean
  readonly query?: string
}

export function Contents({ guides, reference, guide, operation, isIndex = false, query }: ContentsProps) {
  return (
    <nav class="contents" aria-label="Documentation">
      <Search query={query} />
      {Object.entries(guideGroups).map(([group, names]) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {group === 'API' && (
              <li>
                <a href="/docs" aria-current={isIndex ? 'page' : undefined}>
                  API reference
                </a>
                {(operation || isIndex) && <Operations reference={reference} operation={operation} />}
              </li>
            )}
            {guides
              .filter(({ name }) => names.includes(name))
              .map(one => (
                <li key={one.name}>
                  <a href={`/docs/${one.name}`} aria-current={one === guide ? 'page' : undefined}>
                    {one.title}
                  </a>
                  {one === guide && <Sections guide={one} />}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

interface OperationsProps extends Pick<DocsProps, 'reference'> {
  readonly operation: ReferenceEntry | undefined
}

const Operations = ({ reference, operation }: OperationsProps) => (
  <ul>
    {[...new Set(reference.map(({ group }) => group))].map(group => (
      <li key={group}>
        <details open={group === operation?.group}>
          <summary>{group}</summary>
          <ul>
            {reference
              .filter(entry => entry.group === group)
              .map(entry => (
                <li key={entry.id}>
                  <a
                    href={`/docs/reference/${entry.id}`}
                    aria-current={entry === operation ? 'page' : undefined}
                  >
                    {entry.title}
                  </a>
                </li>
              ))}
          </ul>
        </details>
      </li>
    ))}
  </ul>
)

function Search({ query }: { readonly query: string | undefined }) {
  return (
    <search>
      <form class="search" action="/docs/search">
        <label for="query">Search</label>
        <div>
          <input
            id="query"
            name="q"
            type="search"
            value={query}
            maxLength={100}
            autocomplete="off"
            required
          />
          <button type="submit">
            Go<span class="unseen"> to the results</span>
          </button>
        </div>
        <p class="unseen" role="status" />
        <ul class="found" />
      </form>
    </search>
  )
}

function Sections({ guide }: { readonly guide: Guide }) {
  return (
    <ul>
      {guide.sections.map(({ id, title }) => (
        <li key={id}>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped by the build */}
          <a href={`#${id}`} dangerouslySetInnerHTML={{ __html: title }} />
        </li>
      ))}
    </ul>
  )
}
