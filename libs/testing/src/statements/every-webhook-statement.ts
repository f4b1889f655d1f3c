/** The statements of webhooks: endpoints that accept, fail and are gone. */
import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import { waitUntil } from '@svc/local/wait-until'
import { type Driven, caller, sender } from '../stack/driven-stack.ts'
import { startReceiver } from '../webhook-receiver.ts'

export async function useWebhooks({ dev, baseUrl, backoffice, sql }: Driven): Promise<void> {
  const request = sender(baseUrl)
  const send = (method: string, path: string, body?: object) =>
    request(method, path, dev.owner.session_token, { body, workspace: dev.workspace_id })
  const receiver = await startReceiver()
  try {
    const { id } = await send('POST', '/webhook_endpoints', {
      url: receiver.url,
      event_types: ['clusters.*'],
    })
    const endpoint = `/webhook_endpoints/${id}`
    const cluster = await send('POST', '/clusters', { name: 'plans' })
    await waitUntil('a webhook', () => receiver.received.some(one => one.aggregate_id === cluster.id))
    receiver.answer = () => ({ status: 500 })
    const failures = async () => {
      const { data } = (await send('GET', `${endpoint}/deliveries?state=pending`)) as { data: unknown[] }
      return data.length > 0
    }
    await send('PATCH', `/clusters/${cluster.id}`, { name: 'renamed' })
    await waitUntil('a failure', failures)
    const test = await send('POST', `${endpoint}/test`)
    await send('POST', `${endpoint}/deliveries/${test.id}/redeliver`)
    for (const state of ['delivered', 'failed']) await send('GET', `${endpoint}/deliveries?state=${state}`)
    await send('GET', `${endpoint}/deliveries`)
    await send('GET', `${endpoint}/deliveries/${test.id}`)
    receiver.answer = () => ({ status: 410 })
    const disabled = async () => {
      await send('PATCH', `/clusters/${cluster.id}`, { name: `renamed ${Math.random()}` })
      return (await send('GET', endpoint)).state === 'disabled'
    }
    await waitUntil('its end', disabled, { everyMs: 250 })
    const mailed = async () =>
      (await sql`select from activity.webhook_endpoints where id = ${String(id)} and mail is null`).length > 0
    await waitUntil('its mail', mailed)
    await invoke(backoffice, activity, 'reseal', { ...caller(), body: {} })
    await send('DELETE', endpoint)
    await send('DELETE', `/clusters/${cluster.id}`)
  } finally {
    receiver.stop()
  }
}
