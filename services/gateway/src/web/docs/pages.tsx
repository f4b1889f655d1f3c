import type { ComponentChildren } from 'preact'
import { Page } from '../kit/page/layout.tsx'
import { docsScriptPath, docsStylesheetPath } from '../kit/page/stylesheet.ts'
import { Contents, type DocsProps } from './contents.tsx'
import { maxResults, type SearchEntry } from './find-entries.ts'
import type { ReferenceEntry } from './reference/reference-entry.ts'
import type { Guide } from './render-guide.ts'

export function GuidePage({ guide, ...docs }: DocsProps & { readonly guide: Guide }) {
  return (
    <Page title={guide.title} stylesheets={[docsStylesheetPath]} aside={<Contents {...docs} guide={guide} />}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build from files of ours */}
      <article class="guide" dangerouslySetInnerHTML={{ __html: guide.html }} />
      <p class="aside hint">
        <a href={`/docs/${guide.name}.md`}>This page as Markdown</a>
      </p>
      <Scripts />
    </Page>
  )
}

interface ReferencePageProps extends DocsProps {
  /** Undefined: the list of all operations. */
  readonly operation?: ReferenceEntry
  readonly html: string
}

export const ReferencePage = ({ operation, html, ...docs }: ReferencePageProps) => (
  <Page
    title={operation?.title ?? 'API reference'}
    stylesheets={[docsStylesheetPath]}
    aside={<Contents {...docs} operation={operation} isIndex={!operation} />}
  >
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build from the contract */}
    <div dangerouslySetInnerHTML={{ __html: html }} />
    <Scripts />
  </Page>
)

interface ResultsProps extends DocsProps {
  readonly query: string
  readonly found: readonly SearchEntry[]
}

export function ResultsPage({ query, found, ...docs }: ResultsProps) {
  return (
    <Page title="Search" stylesheets={[docsStylesheetPath]} aside={<Contents {...docs} query={query} />}>
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

const Scripts = () => <script src={docsScriptPath} defer />
