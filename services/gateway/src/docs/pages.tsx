/** The pages of the documentation: the same for everyone, signed in or not. */
import { root } from '@svc/contract/core/root'
import { operations } from '@svc/contract/services'
import { Page } from '../pages/shared/layout.tsx'
import { docsStylesheetPath, referenceScripts, swaggerUiStylesheetPath } from '../pages/shared/stylesheet.ts'
import type { Guide } from './render-guide.ts'

interface DocsProps {
  readonly guides: readonly Guide[]
}

export function GuidePage({ guide, guides }: DocsProps & { readonly guide: Guide }) {
  return (
    <Page
      title={guide.title}
      stylesheets={[docsStylesheetPath]}
      beside={<Contents guides={guides} guide={guide} />}
    >
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build from files of ours */}
      <article class="guide" dangerouslySetInnerHTML={{ __html: guide.html }} />
      <p class="aside hint">
        <a href={`/docs/${guide.name}.md`}>This page as Markdown</a>
      </p>
    </Page>
  )
}

export function ReferencePage({ guides }: DocsProps) {
  return (
    <Page
      title="API reference"
      stylesheets={[swaggerUiStylesheetPath, docsStylesheetPath]}
      beside={<Contents guides={guides} />}
    >
      <h1>API reference</h1>
      <p>
        Every operation, from the <a href={`${root}/openapi.json`}>OpenAPI document</a>. To try one out,
        choose “Authorize” and paste a token. The token stays in this page, but requests are real.
      </p>
      <div id="reference" data-document={`${root}/openapi.json`} />
      <noscript>
        <p class="note">The full reference needs JavaScript. These are the operations:</p>
        <Operations />
      </noscript>
      {referenceScripts.map(path => (
        <script key={path} src={path} defer />
      ))}
    </Page>
  )
}

function Contents({ guides, guide }: DocsProps & { readonly guide?: Guide }) {
  return (
    <nav class="contents" aria-label="Documentation">
      <ul>
        <li>
          <a href="/docs" aria-current={guide ? undefined : 'page'}>
            API reference
          </a>
        </li>
        {guides.map(one => (
          <li key={one.name}>
            <a href={`/docs/${one.name}`} aria-current={one === guide ? 'page' : undefined}>
              {one.title}
            </a>
            {one === guide && (
              <ul>
                {one.sections.map(({ id, title }) => (
                  <li key={id}>
                    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped by the build */}
                    <a href={`#${id}`} dangerouslySetInnerHTML={{ __html: title }} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

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
