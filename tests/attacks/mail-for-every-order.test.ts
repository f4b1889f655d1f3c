// Anybody who may order can order and cancel without end. Each is told to the customer, who would get
// thousands of mails, and so would a mail server that then trusts us no more, while others wait for the link to sign up.
import { waitUntil } from '@svc/local/wait-until'
import { sized } from '@svc/testing/size'
import { sender } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'

const product = forFile(joinProduct)

const mailsTo = (email: string) =>
  product.lines.flatMap(line => {
    if (!line.includes(email) || !line.includes('{')) return []
    const { to, subject } = JSON.parse(line.slice(line.indexOf('{'))) as { to?: string; subject?: string }
    return to === email && subject ? [subject] : []
  })

const orders = sized(15, 1000)
test(`${orders} orders are ten mails of each kind, and the rest waits for one digest`, async () => {
  const { dev, baseUrls, sql } = product
  const send = sender(baseUrls[0] ?? '')
  const { short_hash } = await send('POST', '/offers', dev.api_token, {
    body: { product_id: dev.product_id },
  })
  for (let n = 0; n < orders; n++) {
    const { id } = await send('POST', `/i/${short_hash}/orders`, dev.owner.session_token, {
      workspace: dev.workspace_id,
    })
    await send('POST', `/orders/${id}/cancel`, dev.api_token)
  }
  const counted = async () => {
    const rows = await sql`
      select notice, sum(count)::int as count from auth_tokens.mail_digests d join auth_tokens.users u on u.id = d.user_id
      where u.email = ${dev.owner.email} group by notice`
    return Object.fromEntries(rows.map(({ notice, count }) => [notice, count]))
  }
  const rest = { order_cancelled: orders - 10 }
  await waitUntil('the digests', async () => (await counted()).order_cancelled === orders - 10)
  expect(await counted()).toEqual(rest)
  const cancelled = () => mailsTo(dev.owner.email).filter(subject => subject.endsWith(' was cancelled'))
  await waitUntil('the mails', () => cancelled().length >= 10)
  expect(cancelled()).toHaveLength(10)
})
