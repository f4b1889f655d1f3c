import { root } from '@svc/contract/core/root'
import { groups } from '@svc/contract/openapi/groups'
import { Markdown } from './fields.tsx'
import type { ReferenceEntry } from './reference-entry.ts'

export const IndexArticle = ({ entries }: { readonly entries: readonly ReferenceEntry[] }) => (
  <article class="guide">
    <h1>API reference</h1>
    <p>
      Every operation, with its fields, errors and examples, also as an{' '}
      <a href={`${root}/openapi.json`}>OpenAPI document</a>. If you are new here, begin with the{' '}
      <a href="/docs/quickstart">quickstart</a>.
    </p>
    {Object.entries(groups).map(([group, description]) => (
      <section key={group}>
        <h2>{group}</h2>
        <Markdown text={description} />
        <ul class="operations">
          {entries
            .filter(entry => entry.group === group)
            .map(({ id, title, method, path }) => (
              <li key={id}>
                <a href={`/docs/reference/${id}`}>{title}</a>{' '}
                <code>
                  {method} {path}
                </code>
              </li>
            ))}
        </ul>
      </section>
    ))}
  </article>
)
