import type { DevFile } from '@svc/local/seed-demo'

export interface EndpointIds {
  readonly kept: string[]
  readonly doomed: string[]
  /** Gets no other test deliveries: only the newest of an endpoint are kept. */
  readonly delivered: string[]
  readonly deliveries: readonly string[]
}

/** Where nothing listens. */
export const nowhere = 'http://127.0.0.1:32767/'

/** Fewer than a workspace may have, so that random ones can be made as well. */
const doomed = 5

export async function makeEndpoints({ base_url, owner, workspace_id }: DevFile): Promise<EndpointIds> {
  const make = async (path: string, body?: object): Promise<string> => {
    const response = await fetch(base_url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.session_token}`,
        'svc-context': workspace_id,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    const answer = (await response.json()) as { id?: string }
    if (!answer.id) throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer.id
  }
  const endpoint = () => make('/webhook_endpoints', { url: nowhere, event_types: ['clusters.*'] })
  const delivered = await endpoint()
  return {
    kept: [await endpoint()],
    delivered: [delivered],
    doomed: await Promise.all(Array.from({ length: doomed }, endpoint)),
    deliveries: [await make(`/webhook_endpoints/${delivered}/test`)],
  }
}
