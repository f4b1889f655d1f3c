export interface Seller {
  readonly base_url: string
  readonly api_token: string
  readonly product_id: string
  readonly offer_channel_id: string
}

const maxKeys = 100

/**
 * The URL of its page. Later calls find the same offer by its idempotency key, and create another once it is
 * revoked.
 *
 * @throws Error if there is none, with the reason
 */
export async function readyOffer(seller: Seller, signal: AbortSignal): Promise<string> {
  for (let n = 1; n <= maxKeys; n++) {
    const created = await ask(seller, '/offers', signal, {
      method: 'POST',
      headers: { 'idempotency-key': `npm-start-${n}` },
      body: JSON.stringify(bodyOf(seller)),
    })
    // An earlier version created another offer with this key.
    if (!created) continue
    const offer = await ask(seller, `/offers/${created.id}`, signal)
    if (offer?.state === 'active') return new URL(`/i/${offer.short_hash}`, seller.base_url).href
  }
  throw new Error(`none of the ${maxKeys} offers of earlier starts is active`)
}

const bodyOf = ({ product_id, offer_channel_id }: Seller) => ({
  product_id,
  offer_channel_id,
  max_uses: null,
  // The maximum: a payment may take that long to be confirmed.
  order_ttl_minutes: 1440,
  notes: 'Welcome! Choose a region, enter the name of your company, and order.',
})

interface Offer {
  readonly id: string
  readonly short_hash: string
  readonly state?: string
}

async function ask(
  { base_url, api_token }: Seller,
  path: string,
  signal: AbortSignal,
  request: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Offer | undefined> {
  const headers = {
    authorization: `Bearer ${api_token}`,
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...request.headers,
  }
  const response = await fetch(base_url + path, { ...request, headers, signal })
  const text = await response.text()
  if (response.status === 409) return undefined
  if (!response.ok) throw new Error(`${request.method ?? 'GET'} ${path} was answered with ${response.status}`)
  return JSON.parse(text)
}
