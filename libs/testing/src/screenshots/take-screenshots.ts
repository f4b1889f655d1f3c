/** The pictures of the README: of the product itself, as it runs on this machine, with the demo's data. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { freePort, portInUse } from '@svc/local/free-port'
import { patient } from '@svc/local/patient-call'
import { type DevFile, seedDemo } from '@svc/local/seed-demo'
import { type Stack, startStack } from '@svc/local/stack'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type RunBrowser, startChromium, unpackChromium } from '../run/chromium.ts'
import { newCustomer } from './customers.ts'
import { sell } from './sell.ts'

/** Everybody who clones the repository has them. */
const maxBytes = 150_000
const silent = { info() {}, warn() {}, error() {} }

/**
 * Starts the product in a temporary folder, fills it, and writes `console-home.png` and `console-offer.png`.
 *
 * @param signal ends it early; nothing is left running either way
 * @throws Error where a picture is too large
 */
export async function takeScreenshots(folder: string, signal: AbortSignal): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-screenshots-'))
  // Run as root, PostgreSQL is another user, which has to pass through here.
  await chmod(dataDir, 0o711)
  let stack: Stack | undefined
  let browser: RunBrowser | undefined
  try {
    stack = await startStack({
      dataDir,
      ports: { gateway: await port() },
      env: { MAIL_URL: 'log:', LOG_LEVEL: 'error' },
      signal,
    })
    const { demo, offer } = await fill(stack, dataDir)
    signal.throwIfAborted()
    const program = await unpackChromium(join(dataDir, 'chromium'))
    browser = await startChromium(join(dataDir, 'browser'), program, false)
    const connected = await chromium.connect(browser.endpoint)
    return await picture(connected, demo, offer, folder, signal)
  } finally {
    await browser?.close()
    await stack?.stop()
    await stack?.postgres?.remove()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** That of `npm start`, whose links are in the pictures, unless it is taken. */
async function port(): Promise<number> {
  return (await portInUse(8080)) ? freePort() : 8080
}

async function fill(stack: Stack, dataDir: string) {
  const baseUrl = `${stack.gateways[0]?.url}/v1`
  const demo = await seedDemo({ stack, dataDir, baseUrl, domain: 'acme.example' })
  const bus = await connectBus(stack.bus('backoffice'), silent)
  try {
    const call = patient(createCall(bus))
    const customer = (email: string, company: string) => newCustomer(call, baseUrl, email, company)
    const offer = await sell(demo, {
      northwind: [
        await customer('mara@northwind.example', 'Northwind Traders'),
        await customer('jules@northwind.example', 'Northwind Lyon'),
      ],
      harbor: await customer('ines@blueharbor.example', 'Blue Harbor'),
      kestrel: await customer('tom.avery@kestrel.example', 'Kestrel Health'),
    })
    return { demo, offer }
  } finally {
    await bus.close()
  }
}

async function picture(browser: Browser, demo: DevFile, offer: string, folder: string, signal: AbortSignal) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  signal.addEventListener('abort', () => void browser.close())
  const root = new URL('/console', demo.base_url).href
  await page.goto(root)
  await page.getByLabel('Email address').fill(demo.owner.email)
  await page.getByLabel('Password').fill(demo.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const home = `${root}/${demo.workspace_id}`
  await page.waitForURL(home)
  await mkdir(folder, { recursive: true })
  return [
    await shoot(page, home, join(folder, 'console-home.png')),
    await shoot(page, `${home}/offers/${offer}`, join(folder, 'console-offer.png')),
  ]
}

async function shoot(page: Page, address: string, file: string): Promise<string> {
  const answer = await page.goto(address)
  if (answer?.status() !== 200) throw new Error(`${address} was answered with ${answer?.status()}`)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const png = await page.screenshot()
  if (png.length > maxBytes) throw new Error(`${file} has ${png.length} bytes: at most ${maxBytes}`)
  await writeFile(file, png)
  return file
}
