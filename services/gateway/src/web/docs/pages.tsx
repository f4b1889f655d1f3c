import { root } from '@svc/contract/core/root'
import { operations } from '@svc/contract/services'
import type { ComponentChildren } from 'preact'
import { Page } from '../kit/page/layout.tsx'
import {
  docsScriptPath,
  docsStylesheetPath,
  referenceScripts,
  swaggerUiStylesheetPath,
} from '../kit/page/stylesheet.ts'
import { Contents, type DocsProps } from './contents.tsx'
import { maxResults, type SearchEntry } from './find-entries.ts'
import type { Guide } from './render-guide.ts'

export function GuidePage({ guide, guides }: DocsProps & { readonly guide: Guide }) {
  return (
    <Page
      title={guide.title}
      stylesheets={[docsStylesheetPath]}
      aside={<Contents guides={guides} guide={guide} />}
    >
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build from files of ours */}
      <article class="guide" dangerouslySetInnerHTML={{ __html: guide.html }} />
      <p class="aside hint">
        <a href={`/docs/${guide.name}.md`}>This page as Markdown</a>
      </p>
      <Scripts />
    </Page>
  )
}

export function ReferencePage({ guides }: DocsProps) {
  return (
    <Page
      title="API reference"
      stylesheets={[swaggerUiStylesheetPath, docsStylesheetPath]}
      aside={<Contents guides={guides} reference />}
    >
      <h1>API reference</h1>
      <p>
        Every operation, from the <a href={`${root}/openapi.json`}>OpenAPI document</a>. To try one out,
        choose “Authorize” and paste a token. The token stays in this page, but requests are real. If you are
        new here, begin with the <a href="/docs/quickstart">quickstart</a>.
      </p>
      <div id="reference" data-document={`${root}/openapi.json`} />
      <noscript>
        <p class="note">The full reference needs JavaScript. These are the operations:</p>
        <Operations />
      </noscript>
      <Scripts others={referenceScripts} />
    </Page>
  )
}

interface ResultsProps extends DocsProps {
  readonly query: string
  readonly found: readonly SearchEntry[]
}

export function ResultsPage({ guides, query, found }: ResultsProps) {
  return (
    <Page
      title="Search"
      stylesheets={[docsStylesheetPath]}
      aside={<Contents guides={guides} query={query} />}
    >
      <h1>Search</h1>
      <p>{summaryOf(query, found.length)}</p>
      {found.length > 0 && (
        <ol class="results">
          {found.map(({ page, title, path }) => (
            <li key={path}>
              <a href={path}>{title}</a> <span>{page}</span>
            </li>
          ))}
        </ol>
      )}
      <Scripts />
    </Page>
  )
}

function summaryOf(query: string, count: number): ComponentChildren {
  if (!query.trim()) return 'Type a word, such as “webhook”, the code of an error, or the name of a field.'
  const asked = <strong class="long">{query}</strong>
  if (count === 0) return <>Nothing has all of the words {asked}. Try fewer, or other ones.</>
  if (count === maxResults)
    return (
      <>
        The best {count} results for {asked}:
      </>
    )
  return (
    <>
      {count === 1 ? 'One result' : `${count} results`} for {asked}:
    </>
  )
}

const Scripts = ({ others = [] }: { readonly others?: readonly string[] }) => (
  <>
    {[docsScriptPath, ...others].map(path => (
      <script key={path} src={path} defer />
    ))}
  </>
)

function Operations() {
  return (
    <ul>
      {operations.map(
        ({ service, name, operation: { http, summary } }) =>
          http && (
            <li key={`${service}.${name}`}>
              <code class="long">
                {http.method} {http.path}
              </code>{' '}
              {summary}
            </li>
          ),
      )}
    </ul>
  )
}
