/** Part of the build: the article of each operation, and the list of them. */
import type { openApiDocument } from '@svc/contract/openapi/document'
import { type Group, groups } from '@svc/contract/openapi/groups'
import { referenceOf } from '@svc/contract/openapi/reference'
import { type NamedOperation, operations } from '@svc/contract/services'
import { renderToString } from 'preact-render-to-string'
import type { ReferenceEntry } from './reference-entry.ts'
import { IndexArticle } from './index-article.tsx'
import { pathOf } from './example-lines.ts'
import { type Described, OperationArticle, type Parameter } from './operation-article.tsx'

type ApiDocument = ReturnType<typeof openApiDocument>

interface RenderedReference {
  /** In the order of the groups. */
  readonly entries: readonly ReferenceEntry[]
  /** HTML by the entry's id, and of the list of all, `index`. */
  readonly articles: Readonly<Record<string, string>>
}

export function renderReference(document: ApiDocument): RenderedReference {
  const articles: Record<string, string> = {}
  const found = operations.flatMap((named): ReferenceEntry[] => {
    const { service, name, operation } = named
    if (!operation.http) return []
    const id = `${service}.${name}`
    articles[id] = renderToString(<OperationArticle named={named} described={describedIn(document, named)} />)
    const { method } = operation.http
    return [
      { id, group: referenceOf(named).group, title: operation.summary, method, path: pathOf(operation) },
    ]
  })
  const entries = (Object.keys(groups) as Group[]).flatMap(group =>
    found.filter(entry => entry.group === group),
  )
  return { entries, articles: { ...articles, index: renderToString(<IndexArticle entries={entries} />) } }
}

interface Referring {
  readonly $ref?: string
}

function describedIn(document: ApiDocument, { operation: { http } }: NamedOperation): Described {
  const { paths, components } = document
  const found = paths[http?.path ?? '']?.[http?.method.toLowerCase() ?? ''] as {
    readonly description: string
    readonly parameters: readonly (Referring & Parameter)[]
    readonly responses: Readonly<Record<string, Referring & { readonly description: string }>>
  }
  const follow = <T extends Referring>(part: T): T => {
    const [, , kind = '', name = ''] = part.$ref?.split('/') ?? []
    return part.$ref
      ? ((components as unknown as Record<string, Record<string, T>>)[kind]?.[name] ?? part)
      : part
  }
  return {
    description: found.description,
    parameters: found.parameters.map(follow),
    responses: Object.fromEntries(
      Object.entries(found.responses).map(([status, response]) => [
        status,
        { description: follow(response).description, isShared: response.$ref !== undefined },
      ]),
    ),
  }
}
