/** A valid request for every HTTP operation, from its examples in the contract, and the status of its answer. */
import type { DevFile } from '@svc/local/seed-demo'
import { examplesOf } from '@svc/contract/openapi/all-examples'
import {
  acme,
  channel,
  cluster,
  customerCluster,
  etags,
  kim,
  product,
  version1,
} from '@svc/contract/openapi/example-names'
import { operations } from '@svc/contract/services'

export interface Sample {
  /** Relative to the versioned root. */
  readonly path: string
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

export interface SampleInput {
  readonly dev: DevFile
  /** ETag of the demo's cluster. */
  readonly etag: string
}

/** The demo has none of these, or would lose it: an unknown one also shows who is admitted, and can be sent again. */
const unknown =
  /^DELETE .+\}|agent_secret|user_id|^\w+ \/(i|offers|packages|orders|installs|api_tokens|ci_trusts|invitations|events|webhook_endpoints)\/\{/

/** The demo is not as the examples assume, or would grow beyond its limits. */
const refusals: Readonly<Record<string, number>> = {
  'POST /products': 422,
  'POST /webhook_endpoints': 422,
  'POST /workspaces/{id}/members': 409,
  'DELETE /workspaces/{id}': 409,
  // Stripe takes no payments here.
  'POST /webhooks/stripe': 400,
  'GET /installs/{id}/field_values': 401,
  'GET /installs/{id}/licence': 401,
}

export const httpOperations = operations.flatMap(({ service, name, operation }) => {
  const { http } = operation
  if (!http) return []
  const route = `${http.method} ${http.path}`
  return [{ name: route, method: http.method, operation, examples: examplesOf({ service, name }) }]
})

export function sampleOf(name: string, { dev, etag }: SampleInput): Sample {
  const { operation, examples = [] } = httpOperations.find(one => one.name === name) ?? {}
  const { path = '', status: success = 0 } = operation?.http ?? {}
  const isUnknown = unknown.test(name)
  const status = refusals[name] ?? (isUnknown ? 404 : success)
  const withStatus = (wanted: number) => examples.find(({ answer }) => answer.status === wanted)
  const example = withStatus(status) ?? withStatus(success)
  if (!example) throw new Error(`${name} has no example`)
  const known = {
    [acme]: dev.workspace_id,
    [kim.email]: dev.member.email,
    [etags.first]: etag,
    ...(!isUnknown && {
      [product]: dev.product_id,
      [version1]: dev.package_version_id,
      [channel]: dev.offer_channel_id,
      [cluster]: dev.cluster_id,
      [customerCluster]: dev.cluster_id,
    }),
  }
  const actual = (text: string) =>
    Object.entries(known).reduce((all, [from, to]) => all.replaceAll(from, to), text)
  const { params, query, headers, body } = JSON.parse(JSON.stringify(example.request), (_, value) =>
    typeof value === 'string' ? actual(value) : value,
  ) as typeof example.request
  const search = new URLSearchParams(query as Record<string, string>)
  return {
    path: path.replace(/\{(\w+)\}/g, (_, key) => params?.[key] ?? '') + (search.size > 0 ? `?${search}` : ''),
    status,
    headers,
    body,
  }
}

/** Brings the demo's cluster to the state that the sample sets, so that it can be repeated, and returns its etag. */
export async function prepareCluster(dev: DevFile): Promise<string> {
  const url = `${dev.base_url}/clusters/${dev.cluster_id}/compute_settings`
  const headers = { authorization: `Bearer ${dev.api_token}`, 'content-type': 'application/json' }
  const { etag } = (await (await fetch(url, { headers })).json()) as { etag: string }
  const { body, ...sample } = sampleOf('PATCH /clusters/{id}/compute_settings', { dev, etag })
  const changed = await fetch(url, {
    method: 'PATCH',
    headers: { ...headers, ...sample.headers },
    body: JSON.stringify(body),
  })
  return ((await changed.json()) as { etag: string }).etag
}
