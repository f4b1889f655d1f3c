/** The whole product behind two gateways, a browser before it, people who sign in and devices that ask. */

import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { startBrowser } from '@svc/testing/browser'
import type { Product } from '@svc/testing/stack'
import type { BrowserContext, BrowserContextOptions, Page, Response } from 'playwright-core'

export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
}

export interface PageScene {
  readonly stack: Product
  /** The gateways, without a slash at the end. */
  readonly urls: readonly [string, string]
  newPerson(email?: string): Promise<Person>
  /** A browser that has never been here. Without JavaScript unless told. */
  open(options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page }>
  startGrant(options?: { client_id?: string; user_agent?: string }): Promise<Grant>
  stop(): Promise<void>
}

export interface Grant {
  readonly device_code: string
  readonly user_code: string
  /** Asks as the device does. */
  poll(): Promise<{ outcome: string; session_token?: string }>
}

const silent = { info() {}, warn() {}, error() {} }
export const gateway = { kind: 'internal', id: 'gateway' } as const

export async function setPageScene(start: () => Promise<Product>): Promise<PageScene> {
  const { browser, close } = await startBrowser()
  const stack = await start().catch(async error => {
    await close()
    throw error
  })
  const bus = await connectBus(stack.stack.bus('gateway'), silent)
  const call = createCall(bus)
  const [first, second] = stack.stack.gateways.map(({ url }) => url)
  return {
    stack,
    urls: [first ?? '', second ?? ''],
    async newPerson(email = `${newId('user').slice(-12)}@people.example`) {
      const password = 'correct horse battery staple'
      const body = { email, password }
      const { id } = await invoke(stack.backoffice, authTokens, 'put_user', { caller: gateway, body })
      return { id, email, password }
    },
    async open(contextOptions) {
      const context = await browser.newContext({ javaScriptEnabled: false, ...contextOptions })
      context.setDefaultTimeout(10_000)
      return { context, page: await context.newPage() }
    },
    startGrant: options => startGrant(call, options),
    async stop() {
      await close()
      await bus.close()
      await stack.stop()
    },
  }
}

async function startGrant(
  call: CallBus,
  { client_id = 'svc-cli', user_agent = 'svc-cli/1.4.0 (linux)' } = {},
): Promise<Grant> {
  const origin = { address: '203.0.113.7', user_agent }
  const started = await invoke(call, authTokens, 'start_device_grant', {
    caller: gateway,
    body: { client_id, origin },
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
export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  return press(page, 'Sign in')
}

/** Enters a code at /device, where somebody is signed in. */
export async function enterCode(page: Page, url: string, code: string) {
  await page.goto(`${url}/device`)
  await page.getByLabel('Code').fill(code)
  return press(page, 'Continue')
}

/** Presses a button that sends a form, and answers what came back when it is shown. */
export async function press(page: Page, name: string): Promise<Response> {
  const answered = page.waitForNavigation()
  const [response] = await Promise.all([
    answered,
    page.getByRole('button', { name, exact: true }).first().click(),
  ])
  if (!response) throw new Error(`${name}: nothing was answered`)
  return response
}

export const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText()

/** Codes of the right form that no device waits with. */
export const wrongCodes = ['BBBB-BBBB', 'CCCC-CCCC', 'DDDD-DDDD', 'FFFF-FFFF', 'GGGG-GGGG'] as const
