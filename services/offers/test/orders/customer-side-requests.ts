// Every request that anyone can make about an order and an install, and the recorded responses.
import type { Operation } from '@svc/contract/core/operation'
import { referenceOf } from '@svc/contract/openapi/reference'
import { operations } from '@svc/contract/services'
import { everything } from '@svc/testing/size'
import type { CustomerSide, Person } from './customer-side-scene.ts'

/** What a request is about. */
export interface Subject {
  readonly offer_id: string
  readonly short_hash: string
  readonly order_id: string
  readonly install_id: string
}

export interface Client {
  readonly who: string
  readonly entitled: boolean
  readonly headers: Record<string, string>
}

/** A response as text, with its headers, and who requested what. */
export interface RecordedResponse extends Client {
  readonly what: string
  readonly text: string
}

export const inside = (who: string, { session, workspace }: Person, entitled = false): Client => ({
  who,
  entitled,
  headers: { authorization: `Bearer ${session}`, 'svc-context': workspace },
})

/** The queries and bodies to send; requests that change something come last. */
export const cases: Record<string, { readonly queries?: string[]; readonly bodies?: (object | string)[] }> = {
  resolve_offer: { queries: ['', '?unknown=1'] },
  list_orders: {
    queries: [
      '',
      '?relation=received',
      '?limit=1',
      '?state=open',
      '?relation=received&state=completed',
      '?limit=0',
      '?text=note',
      '?relation=received&text=note&order=asc',
    ],
  },
  list_customers: {},
  get_order: {},
  list_installs: {
    queries: ['', '?relation=sold', '?limit=1', '?state=started', '?relation=sold&state=started'],
  },
  get_install: {},
  approve_order: {},
  confirm_payment: {},
  reject_order: { bodies: [{ reason: 'no' }] },
  receive_stripe_event: { bodies: ['{"type":"checkout.session.completed"}'] },
  create_order: {},
  submit_order: {
    bodies: ['{', { field_values: { company: 7, unknown: 1 } }, { cluster_id: 'clus_unknown' }, {}],
  },
  begin_checkout: {},
  cancel_order: {},
  create_install_credential: {},
  read_install_values: {},
  create_licence: {},
  get_licence: {},
  list_licence_keys: {},
  rotate_licence_key: {},
  remove_install: {},
  cancel_subscription: { bodies: [{ at: 'never' }, {}] },
  resume_subscription: {},
  confirm_subscription_payment: { bodies: [{}, { after: null }] },
  create_billing_portal: {},
}

export const customerSide: Record<string, Operation> = Object.fromEntries(
  operations
    .filter(
      one =>
        one.operation.http &&
        ['Orders', 'Customers', 'Installs', 'Licences', 'Webhooks'].includes(referenceOf(one).group),
    )
    .map(({ name, operation }) => [name, operation]),
)

/** Makes every request there is, and adds each response to `responses`. */
export function createProbe({ stack, sellersIds }: CustomerSide, responses: RecordedResponse[]) {
  const base = stack.baseUrls[0] ?? ''
  const root = base.replace(/\/v1$/, '')
  let turn = 0
  /** In `npm test` every third request, a different one each time. */
  const inTurn = <One>(all: One[]): One[] =>
    everything || all.length < 3 ? all : all.filter((_, at) => (at + turn) % 3 === 0)

  async function record(client: Client, what: string, url: string, init: RequestInit = {}): Promise<void> {
    const headers = { ...client.headers, ...init.headers }
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    const text = JSON.stringify([...response.headers]) + (await response.text())
    // The requested path is repeated as the page to return to after signing in.
    const { pathname } = new URL(url)
    const unrepeated = text.replaceAll(pathname, '').replaceAll(encodeURIComponent(pathname), '')
    responses.push({ ...client, what: `${what}: ${response.status}`, text: unrepeated })
  }

  /** Makes the requests that only read at once, then the others one after the other. */
  async function probeEverything(
    client: Client,
    { short_hash, order_id, install_id }: Subject,
    foreign = false,
  ) {
    const steps: (() => Promise<void>)[] = []
    const reads: Promise<void>[] = []
    for (const [name, { queries = [''], bodies = [undefined] }] of Object.entries(cases)) {
      const { method = '', path = '' } = customerSide[name]?.http ?? {}
      const id = path.startsWith('/installs') ? install_id : order_id
      // Lists do not depend on the order that the other requests are about.
      if (foreign && !everything && !path.includes('{')) continue
      const filled = path.replace('{short_hash}', short_hash).replace('{id}', id)
      for (const query of inTurn(queries)) {
        for (const body of bodies) {
          const probe = () => record(client, name + query, base + filled + query, requestOf(method, body))
          if (method === 'GET') reads.push(probe())
          else steps.push(probe)
        }
      }
    }
    await Promise.all(reads)
    for (const step of steps) await step()
  }

  /** Requests the seller's resources by known ids, and the pages as a browser does. */
  async function probeSellersAndPages(client: Client, { offer_id, short_hash, order_id }: Subject) {
    const cookie = client.headers.authorization?.replace('Bearer ', '__Host-svc_session=') ?? ''
    const browser: Client = { ...client, headers: { cookie } }
    const ids: Record<string, string> = { ...sellersIds, offers: offer_id }
    const sellers = operations.flatMap(({ service, name, operation: { http } }) => {
      if (service !== 'offers' || name in customerSide || http?.method !== 'GET') return []
      const [, kind = ''] = http.path.split('/')
      const path = http.path.replace('{number}', '1').replace('{id}', ids[kind] ?? '')
      return [() => record(client, name, base + path)]
    })
    const pages = [`/i/${short_hash}`, `/orders/${order_id}`, '/orders']
    await Promise.all([
      ...inTurn(sellers).map(each => each()),
      ...inTurn(pages).map(page => record(browser, page, root + page)),
    ])
  }

  return async (client: Client, subject: Subject, foreign?: Subject): Promise<void> => {
    turn++
    await probeSellersAndPages(client, subject)
    await probeEverything(client, subject)
    if (foreign) await probeEverything(client, foreign, true)
  }
}

const requestOf = (method: string, body: object | string | undefined): RequestInit => ({
  method,
  ...(body !== undefined && {
    headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=0' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }),
})
