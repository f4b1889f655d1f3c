import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { setConsoleScene } from './console-scene.ts'
import { filledIn, pagePaths } from './console-paths.ts'
import { fillWorkspace } from './filled-workspace.ts'

const scene = forFile(setConsoleScene)

const secretIn = (text: string) =>
  /class="secret".*?<code class="long">([^<]+)<\/code>/s.exec(text)?.[1] ?? ''

test('each secret is shown once, is kept by no cache, and is on no other page', async () => {
  const { seat, ids } = await fillWorkspace(scene, await scene.newOwner())
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(seat.person))
  const { csrf: _csrf } = await jar.ask(`${seat.root}/tokens`)
  const secrets: string[] = []
  for (const [path, fields] of [
    ['/tokens/new', { name: 'ci', may: 'all' }],
    ['/tokens/:id/rotate', { grace_seconds: '0' }],
    ['/webhooks/new', { url: 'https://hooks.invalid/', 'event_types.members.*': 'on' }],
    ['/webhooks/:id/rotate', { expires_in: '0' }],
    ['/clusters/:id/agent-secret', { grace_seconds: '0' }],
  ] as const) {
    const { status, text, headers } = await jar.ask(seat.root + filledIn(path, ids), {
      form: { ...fields, _csrf },
    })
    expect([path, [200, 201].includes(status)]).toEqual([path, true])
    expect(headers.get('cache-control')).toBe('no-store')
    expect([path, secretIn(text).length > 20]).toEqual([path, true])
    // Where it is read and copied, and nowhere else: not in the address of the next page either.
    const rest = text.replace(/<(code|pre)\b[^>]*>[^<]*<\/\1>| data-copy="[^"]*"/g, '')
    expect(rest.includes(secretIn(text))).toBe(false)
    secrets.push(secretIn(text))
  }
  expect(new Set(secrets).size).toBe(5)
  for (const path of pagePaths) {
    const { text, headers } = await jar.ask(seat.root + filledIn(path, ids))
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
    expect([path, secrets.filter(secret => text.includes(secret))]).toEqual([path, []])
  }
})

test('the first secret of an agent asks for no grace period, and its form sent twice shows one secret', async () => {
  const owner = await scene.newOwner()
  const { id } = await owner.send('POST', '/clusters', { name: 'eu-1' })
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(owner.person))
  const address = `${owner.root}/clusters/${id}/agent-secret`
  const first = await jar.ask(address)
  expect(first.text).not.toContain('grace_seconds')
  const form = { _csrf: first.csrf, has_secret: 'no' }
  expect((await jar.ask(address, { form })).status).toBe(201)
  const second = await jar.ask(address, { form })
  expect(second.status).toBe(409)
  expect(second.text).toContain('name="grace_seconds"')
  expect(
    (await jar.ask(address, { form: { ...form, has_secret: 'yes', grace_seconds: '3600' } })).status,
  ).toBe(201)
})

test('the button Back never shows the secret again, and no address has it', async () => {
  const owner = await scene.newOwner()
  const { page, complaints } = await scene.draw(owner, '/tokens/new')
  const addresses: string[] = []
  page.on('request', request => addresses.push(request.url()))
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await page.getByLabel('All that a member may').click()
  await page.getByRole('button', { name: 'Create token' }).click()
  const secret = await page.locator('.secret code').innerText()
  expect(secret.length).toBeGreaterThan(20)
  // It is not left without having been stored.
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await page.locator('.secret').count()).toBe(1)
  await page.getByLabel('I have stored it').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.waitForURL(/\/tokens/)
  expect(await page.content()).not.toContain(secret)
  expect(await page.locator('h1').allInnerTexts()).toEqual(['ci'])
  // Chromium asks before it sends a form again, and shows a page of its own until then.
  await page.goBack().catch(() => null)
  const shown = () =>
    page.content().then(
      text => text.includes(secret),
      () => undefined,
    )
  await expect.poll(shown).toBe(false)
  await page.goto(`${owner.root}/tokens/new`)
  expect(await page.content()).not.toContain(secret)
  expect(addresses.filter(address => address.includes(secret))).toEqual([])
  expect(complaints.filter(text => !text.includes('ERR_CACHE_MISS'))).toEqual([])
})
