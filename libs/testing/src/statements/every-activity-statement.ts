/** The statements of the service activity: every filter is a text of its own. */
import { type Driven, sender } from '../stack/driven-stack.ts'

export async function useActivity({ dev, baseUrl }: Driven): Promise<void> {
  const send = sender(baseUrl)
  const workspace = dev.workspace_id
  const { data } = (await send('GET', '/events', dev.api_token)) as { data: { id: string }[] }
  await send('GET', `/events/${data[0]?.id ?? 'evt_none'}`, dev.api_token, {
    ...(data.length === 0 && { status: 404 }),
  })
  const filters = [
    'type=offers.created',
    'aggregate=offer_1',
    'actor=user_1',
    'after=1',
    'before=1',
    'order=asc',
  ]
  for (const filter of filters) await send('GET', `/events?${filter}`, dev.api_token)
  await send('GET', '/event_counts?types=offers.created,orders.created', dev.api_token)
  for (const filter of ['', '?credential=tok_1', '?order=asc'])
    await send('GET', `/audit_log${filter}`, dev.owner.session_token, { workspace })
}
