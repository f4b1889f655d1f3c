// What happens is told by mail, from the event to the mailbox: to both sides of an order, once, whatever is killed meanwhile.
import { waitUntil } from '@svc/local/wait-until'
import { startMailbox } from '@svc/testing/mailbox'
import { everything } from '@svc/testing/size'
import { policy, sender } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { type Product, startTestStack } from '@svc/testing/stack/stack'
import { expect, onTestFinished, test } from 'vitest'

/** An offer of the demo's product, with a policy of its own. */
async function newOffer(
  { dev, baseUrls }: Pick<Product, 'dev' | 'baseUrls'>,
  terms: object,
  more: object = {},
) {
  const send = sender(baseUrls[0] ?? '')
  const post = (path: string, body: object) => send('POST', path, dev.api_token, { body })
  const { product_id } = dev
  const { id } = await post('/offer_channels', { name: `mail ${Math.random()}`, product_id })
  await post(`/offer_channels/${id}/policies`, { policy: { ...policy, ...terms }, activate: true })
  const pricing_request = { currency: 'eur', unit_amount: 100, interval: 'month' }
  const offer = await post('/offers', { product_id, offer_channel_id: id, pricing_request, ...more })
  return String(offer.short_hash)
}

test('owners and admins of the seller are told of a placed order', async () => {
  const product = await joinProduct()
  onTestFinished(product.stop)
  const { dev, baseUrls } = product
  const hash = await newOffer(product, { approval: 'manual' })
  const send = sender(baseUrls[0] ?? '')
  const { id } = await send('POST', `/i/${hash}/orders`, dev.api_token)
  await send('POST', `/orders/${id}/submit`, dev.api_token, {
    body: { field_values: { region: 'eu', seats: 3, company: 'Acme' } },
  })
  const told = () =>
    product.lines.flatMap(line => {
      if (!line.includes(`/orders/${id}`) || !line.includes('{')) return []
      const { to, subject } = JSON.parse(line.slice(line.indexOf('{'))) as { to?: string; subject?: string }
      return subject?.includes('is waiting for your approval') ? [to] : []
    })
  await waitUntil('both mails', () => told().length >= 2)
  expect(told().sort()).toEqual([dev.admin.email, dev.owner.email])
})

test.runIf(everything)(
  'both sides of an order are told of each step, with two replicas of each service that are killed in turn',
  async () => {
    const mailbox = await startMailbox()
    onTestFinished(() => mailbox.stop())
    const running = await startTestStack({
      replicas: { activity: 2, 'auth-tokens': 2 },
      env: { MAIL_URL: mailbox.url },
    })
    onTestFinished(() => running.stop())
    const { dev, baseUrls, stack } = running
    const send = sender(baseUrls[0] ?? '')
    const { id: workspace } = (await send('POST', '/workspaces', dev.stranger.session_token, {
      body: { name: 'Globex' },
    })) as { id: string }
    const asCustomer = (method: string, path: string, body?: object) =>
      send(method, path, dev.stranger.session_token, { body, workspace })
    const asSeller = (path: string, body?: object) => send('POST', path, dev.api_token, { body })
    const ordered = async (hash: string) => {
      const { id } = await asCustomer('POST', `/i/${hash}/orders`)
      return String(id)
    }
    const referenceOf = async (id: string) => String((await asCustomer('GET', `/orders/${id}`)).reference)
    const submit = (id: string) =>
      asCustomer('POST', `/orders/${id}/submit`, {
        field_values: { region: 'eu', seats: 3, company: 'secret-values' },
      })

    const kill = async (name: 'activity' | 'auth-tokens', index: number) => {
      const replica = stack.processes[name][index]
      replica?.kill('SIGKILL')
      await waitUntil('its end', () => !replica?.running())
      await replica?.start()
    }

    const hash = await newOffer(running, { approval: 'manual', checkout: 'required' }, { max_uses: 1 })
    const rejected = await ordered(hash)
    await kill('activity', 0)
    await submit(rejected)
    await asSeller(`/orders/${rejected}/reject`, { reason: 'We cannot deliver\nto you.' })
    const cancelled = await ordered(hash)
    await kill('auth-tokens', 0)
    await asCustomer('POST', `/orders/${cancelled}/cancel`)
    const paid = await ordered(hash)
    await submit(paid)
    await kill('activity', 1)
    await asSeller(`/orders/${paid}/approve`)
    await kill('auth-tokens', 1)
    await asSeller(`/orders/${paid}/confirm_payment`)

    const told = (order: string, to: string) =>
      mailbox.received
        .filter(mail => mail.to[0] === to && mail.text.includes(`/orders/${order}\n`))
        .map(({ headers }) => headers.get('subject')?.[0])
        .sort()
    const both = [...new Set([rejected, cancelled, paid])]
    const { name } = await send('GET', `/products/${dev.product_id}`, dev.api_token)
    const { data } = (await send('GET', '/workspaces', dev.api_token)) as { data: { name: string }[] }
    const sale = `${name} from ${data[0]?.name}`
    const order = async (id: string, what: string) => `Order ${await referenceOf(id)} ${what}: ${sale}`
    const expected = {
      [rejected]: {
        seller: [await order(rejected, 'is waiting for your approval')],
        customer: [`We have your order for ${sale}`, `Your order for ${sale} was rejected`],
      },
      [cancelled]: { seller: [], customer: [`Your order for ${sale} was cancelled`] },
      [paid]: {
        seller: [
          await order(paid, 'is waiting for payment'),
          await order(paid, 'is waiting for your approval'),
          `Sold out: ${sale}`,
        ],
        customer: [
          `How to pay for ${sale}`,
          `We have your order for ${sale}`,
          `Your order for ${sale} is complete`,
        ],
      },
    }
    const seen = () =>
      Object.fromEntries(
        both.map(id => [id, { seller: told(id, dev.owner.email), customer: told(id, dev.stranger.email) }]),
      )
    const asked = async () => {
      const [at] = await running.sql`
        select m.position >= (select max(position) from activity.events where type like 'orders.%') as done
        from activity.mail_position m`
      const [waiting] = await running.sql`select count(*)::int as count from auth_tokens.messages`
      return at?.done === true && waiting?.count === 0
    }
    // A message that was sent by a process which died before it could say so is sent again, after a minute, with the same id.
    await waitUntil('all mail', asked, { everyMs: 250 })
    const ids = new Set(mailbox.received.map(({ headers }) => headers.get('message-id')?.[0]))
    expect(mailbox.received.length - ids.size).toBeLessThanOrEqual(2)
    const once = new Map(mailbox.received.map(mail => [mail.headers.get('message-id')?.[0], mail]))
    mailbox.received.splice(0, Number.POSITIVE_INFINITY, ...once.values())
    expect(seen()).toEqual(expected)
    const all = mailbox.received.map(({ text, html }) => text + html).join()
    expect(all).not.toContain('secret-values')
    expect(all).toContain('The seller wrote:\n> We cannot deliver\n> to you.')
    expect(told(paid, dev.admin.email)).toEqual(expected[paid]?.seller)
    expect(told(paid, dev.member.email)).toEqual([])
  },
)
