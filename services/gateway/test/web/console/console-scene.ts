/** Workspaces of the console's tests: each test has its own, with the people that it needs. */
import type { Role } from '@svc/contract/core/caller'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { sender } from '@svc/testing/stack/driven-stack'
import { type Customer, type OfferScene, setOfferScene, type Visited } from '../store/offer/offer-scene.ts'
import type { Tab } from '../tab.ts'
import { TextFound } from '../text-browser.ts'

/** A person in a workspace. */
export interface Seat {
  readonly person: Customer
  readonly workspace: string
  /** The address of the workspace's console, without a slash at the end. */
  readonly root: string
  /** A request to the API in that workspace. Throws where it is refused. */
  send(method: string, path: string, body?: object): Promise<Record<string, unknown> & { id: string }>
}

export interface ConsoleScene extends OfferScene {
  /** The owner of a new workspace. */
  newOwner(name?: string): Promise<Seat>
  /** Somebody else in the same workspace. */
  newColleague(of: Seat, role: Role): Promise<Seat>
  /** The same person in a new workspace of theirs. */
  alsoIn(seat: Seat, name: string): Promise<Seat>
  /** A page of the workspace, without JavaScript (`openPlain`). */
  plain(seat: Seat, path?: string): Promise<Tab>
  /** The same in Chromium with JavaScript. */
  draw(seat: Seat, path?: string, options?: BrowserContextOptions): Promise<Visited>
}

export async function setConsoleScene(start: () => Promise<Product> = joinProduct): Promise<ConsoleScene> {
  const scene = await setOfferScene(start)
  const url = scene.urls[0]

  async function newWorkspace(person: Customer, name: string): Promise<Seat> {
    const token = await scene.openSession(person)
    const { id } = await sendAs(token, '', url)('POST', '/workspaces', { name })
    return seatOf(person, id, token)
  }

  const seatOf = (person: Customer, workspace: string, token: string): Seat => ({
    person,
    workspace,
    root: `${url}/console/${workspace}`,
    send: sendAs(token, workspace, url),
  })

  return {
    ...scene,
    newOwner: async (name = 'Demo') => newWorkspace(await scene.newCustomer([]), name),
    async newColleague({ workspace }, role) {
      const person = await scene.newCustomer([])
      await scene.stack.sql`
        insert into auth_tokens.memberships (workspace_id, user_id, role) values (${workspace}, ${person.id}, ${role})`
      return seatOf(person, workspace, await scene.openSession(person))
    },
    alsoIn: ({ person }, name) => newWorkspace(person, name),
    plain: ({ person, workspace }, path = '') => scene.visitPlain(`/console/${workspace}${path}`, person),
    draw: ({ person, workspace }, path = '', options = {}) =>
      scene.visit(`/console/${workspace}${path}`, person, options),
  }
}

const sendAs =
  (token: string, workspace: string, url: string): Seat['send'] =>
  (method, path, body) =>
    sender<Record<string, unknown> & { id: string }>(`${url}/v1`)(method, path, token, { body, workspace })

export interface Catalogue {
  readonly package_id: string
  readonly version_id: string
  readonly product_id: string
}

/** What offers of the workspace are made of. */
export async function newCatalogue(
  { send }: Seat,
  schema: object = {},
  name = 'Fast Queues',
): Promise<Catalogue> {
  const { id: package_id } = await send('POST', '/packages', { name })
  const version = { version: '1.0.0', input_schema: { type: 'object', properties: {}, ...schema } }
  const { id: version_id } = await send('POST', `/packages/${package_id}/versions`, version)
  const product = { name, package_id, current_package_version_id: version_id }
  const { id: product_id } = await send('POST', '/products', product)
  return { package_id, version_id, product_id }
}

/** A channel of the product whose policy is active. */
export async function newChannel({ send }: Seat, product_id: string, policy: object, name = 'Channel') {
  const { id } = await send('POST', '/offer_channels', { product_id, name })
  await send('POST', `/offer_channels/${id}/policies`, { policy, activate: true })
  return id
}

/** Chooses of a list. */
export async function choose(page: Tab, label: string, value: string) {
  const field = page.getByLabel(label)
  if (!(field instanceof TextFound)) return void (await (field as Locator).selectOption(value))
  const [list] = field.elements()
  for (const option of list?.all() ?? []) {
    if (option.getAttribute('value') === value) option.setAttribute('selected', '')
    else option.attributes.delete('selected')
  }
}

/** Chooses one of several answers. */
export async function pick(page: Tab, label: string) {
  const field = page.getByLabel(label)
  if (!(field instanceof TextFound)) return void (await (field as Locator).check())
  const [radio] = field.elements()
  for (const one of radio?.within('form')?.all() ?? [])
    if (one.getAttribute('name') === radio?.getAttribute('name')) one.attributes.delete('checked')
  radio?.setAttribute('checked', '')
}

/** Clears a box. */
export async function untick(page: Tab, label: string) {
  const field = page.getByLabel(label)
  if (!(field instanceof TextFound)) return void (await (field as Locator).uncheck())
  for (const box of field.elements()) box.attributes.delete('checked')
}

export const main = (page: Tab): Promise<string> => page.locator('main').innerText()

/** What a screen reader would say of the element with the focus. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const label = element.id && document.querySelector(`label[for="${element.id}"]`)
    return (label || element).textContent?.trim().replace(/\s+/g, ' ')
  })

/** Presses Tab until what is named has the focus, and can be seen to have it. */
export async function tabTo(page: Page, name: string | RegExp, most = 60) {
  for (let presses = 1; presses <= most; presses++) {
    await page.keyboard.press('Tab')
    const said = (await focused(page)) ?? ''
    if (typeof name === 'string' ? said !== name : !name.test(said)) continue
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    return
  }
  throw new Error(`${name} is not reached within ${most} presses of Tab at ${page.url()}`)
}
