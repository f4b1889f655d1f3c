// Everything that can be asked of an order and an install, by anybody, and all that was answered.
import { installOperations } from '@svc/contract/offers/installs'
import type { Operation } from '@svc/contract/core/operation'
import { orderOperations } from '@svc/contract/offers/orders'
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

export interface Asker {
  readonly who: string
  readonly entitled: boolean
  readonly headers: Record<string, string>
}

/** An answer as text, with its headers, and who asked for what. */
export interface Heard extends Asker {
  readonly what: string
  readonly text: string
}

export const inside = (who: string, { session, workspace }: Person, entitled = false): Asker => ({
  who,
  entitled,
  headers: { authorization: `Bearer ${session}`, 'svc-context': workspace },
})

/** The bodies to send, and the queries to ask with; those that change something after those that do not. */
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
    ],
  },
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
  remove_install: {},
}

export const customerSide: Record<string, Operation> = { ...orderOperations, ...installOperations }

/** Asks for everything there is, with what each answered added to `heard`. */
export function createAsking({ stack, sellersIds }: CustomerSide, heard: Heard[]) {
  const base = stack.baseUrls[0] ?? ''
  const root = base.replace(/\/v1$/, '')
  let turn = 0
  /** In `npm test` a third of what there is many of: another one whenever someone asks. */
  const inTurn = <One>(all: One[]): One[] =>
    everything || all.length < 3 ? all : all.filter((_, at) => (at + turn) % 3 === 0)

  async function hear(asker: Asker, what: string, url: string, init: RequestInit = {}): Promise<void> {
    const headers = { ...asker.headers, ...init.headers }
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    const text = JSON.stringify([...response.headers]) + (await response.text())
    // The page to return to after signing in is what was asked for.
    const { pathname } = new URL(url)
    const news = text.replaceAll(pathname, '').replaceAll(encodeURIComponent(pathname), '')
    heard.push({ ...asker, what: `${what}: ${response.status}`, text: news })
  }

  /** What only reads is asked at once, then one step after the other. */
  async function askEverything(asker: Asker, { short_hash, order_id, install_id }: Subject, foreign = false) {
    const steps: (() => Promise<void>)[] = []
    const reads: Promise<void>[] = []
    for (const [name, { queries = [''], bodies = [undefined] }] of Object.entries(cases)) {
      const { method = '', path = '' } = customerSide[name]?.http ?? {}
      const id = path.startsWith('/installs') ? install_id : order_id
      // Lists are the same whichever order they are asked for beside.
      if (foreign && !everything && !path.includes('{')) continue
      const filled = path.replace('{short_hash}', short_hash).replace('{id}', id)
      for (const query of inTurn(queries)) {
        for (const body of bodies) {
          const ask = () => hear(asker, name + query, base + filled + query, requestOf(method, body))
          if (method === 'GET') reads.push(ask())
          else steps.push(ask)
        }
      }
    }
    await Promise.all(reads)
    for (const step of steps) await step()
  }

  /** What is the seller's, by ids that are known; and pages, as a browser asks for them. */
  async function lookAround(asker: Asker, { offer_id, short_hash, order_id }: Subject) {
    const cookie = asker.headers.authorization?.replace('Bearer ', '__Host-svc_session=') ?? ''
    const browser: Asker = { ...asker, headers: { cookie } }
    const ids: Record<string, string> = { ...sellersIds, offers: offer_id }
    const sellers = operations.flatMap(({ service, name, operation: { http } }) => {
      if (service !== 'offers' || name in customerSide || http?.method !== 'GET') return []
      const [, kind = ''] = http.path.split('/')
      const path = http.path.replace('{number}', '1').replace('{id}', ids[kind] ?? '')
      return [() => hear(asker, name, base + path)]
    })
    const pages = [`/i/${short_hash}`, `/orders/${order_id}`, '/orders']
    await Promise.all([
      ...inTurn(sellers).map(each => each()),
      ...inTurn(pages).map(page => hear(browser, page, root + page)),
    ])
  }

  return async (asker: Asker, subject: Subject, foreign?: Subject): Promise<void> => {
    turn++
    await lookAround(asker, subject)
    await askEverything(asker, subject)
    if (foreign) await askEverything(asker, foreign, true)
  }
}

const requestOf = (method: string, body: object | string | undefined): RequestInit => ({
  method,
  ...(body !== undefined && {
    headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=0' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }),
})
