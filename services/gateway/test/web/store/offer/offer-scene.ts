/** Sellers' offers with any schema, and customers at their pages. */

import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { requester } from '@svc/testing/stack/driven-stack'
import { type PageScene, type Person, setPageScene } from '../../page-scene.ts'
import type { Tab } from '../../tab.ts'

export interface OfferOptions {
  readonly name?: string
  readonly schema?: object
  readonly instructions?: string
  /** Fields of the create input: notes, field_values, allowed_emails … */
  readonly offer?: object
  /** Backs the offer by a channel with this policy. */
  readonly policy?: object
}

export interface MadeOffer {
  readonly id: string
  readonly hash: string
  /** Its path. */
  readonly path: string
}

export interface OfferScene extends PageScene {
  newOffer(options?: OfferOptions): Promise<MadeOffer>
  /** As the seller's API token. */
  send(method: string, path: string, body?: object): Promise<Sent>
  /** A person with a verified address, who is a member of that many new workspaces. */
  newCustomer(workspaces?: readonly string[]): Promise<Customer>
  /** A cluster of the workspace; its id. */
  newCluster(workspace: string, name: string): Promise<string>
  /** A page with JavaScript on which the person is signed in, and the browser's complaints about it. */
  visit(path: string, person?: Person, options?: BrowserContextOptions): Promise<Visited>
  /** The same without JavaScript (`openPlain`). */
  visitPlain(path: string, person?: Person): Promise<Tab>
  orders(hash: string): Promise<StoredOrder[]>
}

export interface Sent {
  readonly status: number
  readonly body: Record<string, unknown> & { id: string; short_hash: string }
}

export interface Customer extends Person {
  /** Ids. */
  readonly workspaces: readonly string[]
}

export interface Visited {
  readonly page: Page
  /** Violations of the page's policy, script errors, dialogs. */
  readonly complaints: string[]
}

export interface StoredOrder {
  readonly id: string
  readonly state: string
  readonly customer_workspace_id: string
  readonly cluster_id: string | null
  readonly field_values: Record<string, unknown> | null
}

export const manualPolicy = {
  approval: 'manual',
  checkout: 'none',
  support: 'Answers within a working day',
  pricing: {
    kind: 'range',
    currencies: ['eur', 'usd'],
    intervals: ['month', 'year'],
    min_unit_amount: 0,
    max_unit_amount: 1_000_000,
    default_price: { currency: 'eur', unit_amount: 4900, interval: 'month' },
  },
  allow_non_billable_test: true,
}
export const paidPolicy = { ...manualPolicy, approval: 'automatic', checkout: 'required' }
export const price = { currency: 'eur', unit_amount: 149_900, interval: 'month' }

export async function setOfferScene(start: () => Promise<Product> = joinProduct): Promise<OfferScene> {
  const scene = await setPageScene(start)
  const { stack, urls } = scene
  const { dev, sql } = stack
  const root = `${urls[0]}/v1`

  /** The product and channel of offers. Offers that are alike share them, since creating them takes five requests. */
  const backings = new Map<string, Promise<object>>()

  async function send(method: string, path: string, body?: object): Promise<Sent> {
    const { status, answer } = await requester<Sent['body']>(root)(method, path, dev.api_token, { body })
    return { status, body: answer }
  }

  async function made(path: string, body: object): Promise<Sent['body']> {
    let sent = await send('POST', path, body)
    for (let more = 1; isBusy(sent); more++) sent = await send('POST', path, another(body, more))
    if (sent.status !== 201)
      throw new Error(`POST ${path} answered ${sent.status}: ${JSON.stringify(sent.body)}`)
    return sent.body
  }

  return {
    ...scene,
    send,
    async newOffer({ offer = {}, ...backed } = {}) {
      const key = JSON.stringify(backed)
      const backing = backings.get(key) ?? newBacking(backed)
      backings.set(key, backing)
      const { id, short_hash } = await made('/offers', { ...(await backing), ...offer })
      return { id, hash: short_hash, path: `/i/${short_hash}` }
    },
    async newCustomer(workspaces = ['Acme']) {
      const person = await scene.newPerson()
      await sql`update auth_tokens.users set verified_at = now() where id = ${person.id}`
      return { ...person, workspaces: await Promise.all(workspaces.map(name => newWorkspace(person, name))) }
    },
    async newCluster(workspace, name) {
      const caller = { kind: 'internal', id: 'test', workspace } as const
      return (await invoke(stack.backoffice, compute, 'create_cluster', { caller, body: { name } })).id
    },
    async visit(path, person, options) {
      const withScripts = { javaScriptEnabled: true, ...options }
      const { page } = await (person ? scene.openAs(person, withScripts) : scene.open(withScripts))
      const complaints = listen(page)
      await page.goto(urls[0] + path)
      return { page, complaints }
    },
    async visitPlain(path, person) {
      const { page } = await scene.openPlain(person)
      await page.goto(urls[0] + path)
      return page
    },
    orders: hash =>
      sql<StoredOrder[]>`
        select o.id, o.state, o.customer_workspace_id, o.cluster_id, o.field_values
        from offers.orders o join offers.offers f on f.id = o.offer_id
        where f.short_hash = ${hash} order by o.id`,
  }

  async function newBacking({ name = 'Fast Queues', schema = {}, instructions, policy }: OfferOptions) {
    const { id: package_id } = await made('/packages', { name: 'queues' })
    const version = {
      version: '2.4.1',
      input_schema: { type: 'object', properties: {}, ...schema },
      instructions,
    }
    const { id: version_id } = await made(`/packages/${package_id}/versions`, version)
    const product = { name, package_id, current_package_version_id: version_id }
    const { id: product_id } = await made('/products', product)
    return { product_id, ...(policy && { offer_channel_id: await newChannel(product_id, policy) }) }
  }

  async function newChannel(product_id: string, policy: object) {
    const { id } = await made('/offer_channels', { product_id, name: 'Channel' })
    await made(`/offer_channels/${id}/policies`, { policy, activate: true })
    return id
  }

  async function newWorkspace({ id: user }: Person, name: string): Promise<string> {
    const workspace = await insertWorkspace(sql, name)
    await insertMember(sql, { workspace, user, role: 'member' })
    return workspace
  }
}

/** A machine that is busy with other tests may not have time for a schema: it answers busy, or too expensive. */
const isBusy = ({ status, body }: Sent) => status === 503 || JSON.stringify(body).includes('42210')

/** The verdict on a schema is kept for a minute, so the same schema is sent again with a different text. */
const another = (body: { input_schema?: object }, more: number) =>
  body.input_schema ? { ...body, input_schema: { ...body.input_schema, $comment: `${more}` } } : body

function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return complaints
}

/** The order's page is shown. */
export const ordered = (page: Pick<Tab, 'waitForURL'>) => page.waitForURL(/\/orders\/order_/)
