/** The whole product behind two gateways, a browser in front of it, people who sign in, and devices that ask. */

import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import type { Permission } from '@svc/contract/core/permissions'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { password, passwordHash } from '@svc/testing/password'
import { startBrowser, type TestBrowser } from '@svc/testing/browser'
import { everything } from '@svc/testing/size'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Answer, Found, Tab, Tabs } from './tab.ts'
import { TextBrowser, TextFound, TextTab } from './text-browser.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
}

export interface PageScene {
  readonly stack: Product
  /** The gateways, without a trailing slash. */
  readonly urls: readonly [string, string]
  newPerson(): Promise<Person>
  /** A session of that person as in their browser, without going through the pages. Returns its token. */
  openSession(person: Pick<Person, 'email'>): Promise<string>
  /** Gives a browser such a session. */
  admit(context: Tabs, person: Pick<Person, 'email'>): Promise<void>
  /** A browser in which that person is already signed in. */
  openAs(person: Pick<Person, 'email'>, options?: BrowserContextOptions): Promise<Opened>
  /** A browser without cookies, until the test ends or, if it is to last, the file. Without JavaScript by default. */
  open(options?: BrowserContextOptions, lasting?: boolean): Promise<Opened>
  /**
   * A browser without JavaScript, for tests of our pages and not of browsers: Chromium in `npm run test:all`, and a
   * text browser in `npm test`. Signed in, if a person is given.
   */
  openPlain(person?: Pick<Person, 'email'>): Promise<{ context: Tabs; page: Tab }>
  startGrant(options?: GrantOptions): Promise<Grant>
  stop(): Promise<void>
}

export interface Opened {
  readonly context: BrowserContext
  readonly page: Page
}

export interface Grant {
  readonly device_code: string
  readonly user_code: string
  /** Polls as the device does. */
  poll(): Promise<{
    outcome: string
    session_token?: string
    permissions?: string[]
    workspace_id?: string
    expires_in?: number
  }>
}

interface GrantOptions {
  readonly client_id?: string
  readonly user_agent?: string
  readonly asked?: { permissions?: Permission[]; workspace_id?: string; expires_in?: number }
}

const silent = { info() {}, warn() {}, error() {} }
export const gateway = { kind: 'internal', id: 'gateway' } as const

/** Connected to by the first test of the worker that opens a page in it. */
let browser: Promise<TestBrowser> | undefined
/** Contexts of tests that have ended, by their options: a new one costs more than a page, and has nothing cached. */
const free = new Map<string, BrowserContext[]>()

export async function setPageScene(start: () => Promise<Product> = joinProduct): Promise<PageScene> {
  const stack = await start()
  const bus = await connectBus(stack.stack.bus('tests'), silent)
  const call = createCall(bus)
  const [first, second] = stack.stack.gateways.map(({ url }) => url)
  const { sql } = stack

  const opened = new Set<BrowserContext>()
  /** What ends with the file. */
  const last: (() => void)[] = []

  async function open(options?: BrowserContextOptions, lasting = false): Promise<Opened> {
    const whole = { javaScriptEnabled: false, ...options }
    const key = JSON.stringify(whole)
    const alike = free.get(key) ?? []
    free.set(key, alike)
    browser ??= startBrowser()
    const context = alike.pop() ?? (await (await browser).browser.newContext(whole))
    opened.add(context)
    // What scripts have stored ends only with the context: a test that stores something closes it.
    const leave = () => void (context.isClosed() || alike.push(context))
    if (lasting) last.push(leave)
    else onTestFinished(leave)
    context.setDefaultTimeout(300_000)
    const old = context.pages()
    const page = await context.newPage()
    await Promise.all([context.clearCookies(), ...old.map(page => page.close())])
    return { context, page }
  }

  async function openSession({ email }: Pick<Person, 'email'>): Promise<string> {
    const token = createSessionToken()
    await sql`
      insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
      select ${newId('sess')}, id, decode(${hashCredential(token)}, 'hex'), now(), now() + interval '30 days'
      from auth_tokens.users where email = ${email}`
    return token
  }

  async function admit(context: Tabs, person: Pick<Person, 'email'>) {
    const value = await openSession(person)
    const address = `https://${new URL(first ?? '').hostname}/`
    await context.addCookies([
      { name: '__Host-svc_session', value, url: address, httpOnly: true, sameSite: 'Lax' },
    ])
  }

  return {
    stack,
    urls: [first ?? '', second ?? ''],
    async newPerson() {
      const id = newId('user')
      const email = `${id.slice(-12)}@people.example`
      await sql`insert into auth_tokens.users (id, email, password_hash) values (${id}, ${email}, ${passwordHash})`
      return { id, email, password }
    },
    open,
    openSession,
    admit,
    async openAs(person, options) {
      const opened = await open(options)
      await admit(opened.context, person)
      return opened
    },
    async openPlain(person) {
      const context: Tabs = everything ? (await open()).context : new TextBrowser()
      if (person) await admit(context, person)
      return { context, page: await context.newPage() }
    },
    startGrant: options => startGrant(call, options),
    async stop() {
      // Their scripts would go on asking.
      await Promise.all([...opened].flatMap(context => context.pages().map(page => page.close())))
      for (const leave of last) leave()
      await bus.close()
      await stack.stop()
    },
  }
}

async function startGrant(
  call: CallBus,
  { client_id = 'svc-cli', user_agent = 'svc-cli/1.4.0 (linux)', asked }: GrantOptions = {},
): Promise<Grant> {
  const origin = { address: '203.0.113.7', user_agent }
  const started = await invoke(call, authTokens, 'start_device_grant', {
    caller: gateway,
    body: { client_id, origin, ...asked },
  })
  if (started.outcome !== 'started') throw new Error(`The grant was not started: ${started.outcome}`)
  const { device_code, user_code } = started
  return {
    device_code,
    user_code,
    poll: () =>
      invoke(call, authTokens, 'poll_device_grant', {
        caller: gateway,
        body: { device_code_hash: hashCredential(device_code), client_id, origin },
      }),
  }
}

/** Signs in at the page that is open. */
export async function signIn(page: Tab, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  return press(page, 'Sign in')
}

/** Enters a code at /device, where someone is signed in. */
export async function enterCode(page: Tab, url: string, code: string) {
  await page.goto(`${url}/device`)
  await page.getByLabel('Code').fill(code)
  return press(page, 'Continue')
}

/** Label of the offer page's button, whatever the terms. */
export const orderButton = /^(Order|Request approval)/

/** Presses a button that submits a form, and returns the answer once it is shown. */
export async function press(tab: Tab, name: string | RegExp): Promise<Answer> {
  if (tab instanceof TextTab) return tab.press(name)
  const page = tab as Page
  const answered = page.waitForNavigation()
  const [response] = await Promise.all([
    answered,
    page.getByRole('button', { name, exact: true }).first().click(),
  ])
  if (!response) throw new Error(`${name}: nothing was answered`)
  return response
}

/** As a customer, on the page of their order. */
export async function cancelOrder(page: Tab) {
  await page.getByRole('link', { name: 'Cancel order' }).click()
  await page.getByRole('heading', { name: 'Cancel this order?' }).waitFor()
  return press(page, 'Cancel order')
}

/** What a person can do with the developer tools: this does not count as the page's JavaScript. */
export const replaceValue = (field: Found, value: string): Promise<unknown> =>
  field instanceof TextFound
    ? field.fill(value)
    : (field as Locator).evaluate((input, text) => input.setAttribute('value', text), value)

export const heading = (page: Tab): Promise<string> => page.getByRole('heading', { level: 1 }).innerText()

/** Well-formed codes that no device is waiting with. */
export const wrongCodes = ['BBBB-BBBB', 'CCCC-CCCC', 'DDDD-DDDD', 'FFFF-FFFF', 'GGGG-GGGG'] as const
