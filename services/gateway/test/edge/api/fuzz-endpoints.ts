import type { DevFile } from '@svc/local/seed-demo'
import { sender } from '@svc/testing/stack/driven-stack'

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
  const send = sender<{ id: string }>(base_url)
  const make = async (path: string, body?: object): Promise<string> =>
    (await send('POST', path, owner.session_token, { body, workspace: workspace_id })).id
  const endpoint = () => make('/webhook_endpoints', { url: nowhere, event_types: ['clusters.*'] })
  const delivered = await endpoint()
  return {
    kept: [await endpoint()],
    delivered: [delivered],
    doomed: await Promise.all(Array.from({ length: doomed }, endpoint)),
    deliveries: [await make(`/webhook_endpoints/${delivered}/test`)],
  }
}
