// `svc open`: which page, and when a browser is started.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@svc/local/wait-until'
import { everything } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { cliScene } from './cli-scene.ts'
import { onScreen, svc } from './svc-here.ts'
import { inTerminal } from './svc-process.ts'

const scene = cliScene()
const { owner, json } = scene
let offer: { id: string; short_hash: string }
let order: { id: string }
let root: string
beforeAll(async () => {
  offer = await json(['offers', 'create', '--product', scene.dev.product_id])
  order = await scene.api(`/i/${offer.short_hash}/orders`, { method: 'POST' })
  root = new URL(scene.dev.base_url).origin
})

test('an offer by its id or its short hash, and an order', async () => {
  const page = `${root}/i/${offer.short_hash}\n`
  expect(await svc(['open', offer.id], owner())).toEqual({ code: 0, out: page, err: '' })
  expect(await svc(['open', offer.short_hash], owner())).toEqual({ code: 0, out: page, err: '' })
  const { out } = await svc(['open', order.id], owner())
  expect(out).toBe(`${root}/orders/${order.id}\n`)
})

describe('without an id, the console', () => {
  test('the console of the workspace in use is opened', async () => {
    const page = `${root}/console/${scene.dev.workspace_id}\n`
    expect(await svc(['open'], owner())).toEqual({ code: 0, out: page, err: '' })
    expect(await json(['open'])).toEqual({ url: page.trim() })
  })

  test('the console of the only workspace that the credential reaches is opened', async () => {
    const token = { ...scene.home(), SVC_TOKEN: scene.dev.api_token }
    expect((await svc(['open'], token)).out).toBe(`${root}/console/${scene.dev.workspace_id}\n`)
  })

  test('which chooses, where there are several or none', async () => {
    for (const names of [['One', 'Two'], []]) {
      const person = await scene.newPerson(...names)
      const { token } = await scene.openSession(person)
      const { out } = await svc(['open'], { ...scene.home(), SVC_TOKEN: token })
      expect(out).toBe(`${root}/console\n`)
    }
  })

  test('not that of a workspace that one does not reach', async () => {
    const env = { ...owner(), SVC_WORKSPACE: scene.dev.other_workspace_id }
    const { code, out, err } = await svc(['open'], env)
    expect([code, out]).toEqual([4, ''])
    expect(err).toContain(scene.dev.other_workspace_id)
  })
})

test('--json prints an object', async () => {
  expect(await json(['open', offer.id])).toEqual({ url: `${root}/i/${offer.short_hash}` })
})

test.each(['offer_00000000000000000000000000', 'order_00000000000000000000000000', '111111111111'])(
  '%s: not found',
  async id => {
    expect(await svc(['open', id], owner())).toMatchObject({ code: 4, out: '' })
  },
)

test.each(['', 'offer_../x', 'prod_00000000000000000000000000', '11111111111l'])(
  '"%s": a usage error that says what it takes',
  async id => {
    const { code, out, err } = await svc(['open', id], owner())
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/Give (the id of an offer|an id)/)
  },
)

describe('the browser', () => {
  /** Writes down what it was asked to show. */
  async function browser(name: string) {
    const path = join(scene.dir, name)
    const shown = `${path}.shown`
    const script = `#!/bin/sh\nprintf %s "$*" > "${shown}.draft" && mv "${shown}.draft" "${shown}"\n`
    await writeFile(path, script, { mode: 0o755 })
    const read = () => readFile(shown, 'utf8').catch(() => undefined)
    return { BROWSER: path, read }
  }
  const watch = everything ? inTerminal : onScreen

  test('shows the page to a person in a terminal', async () => {
    const { BROWSER, read } = await browser('browser')
    const terminal = watch(['open', offer.id], { ...owner(), BROWSER })
    expect(await terminal.ended).toBe(0)
    const url = `${root}/i/${offer.short_hash}`
    expect(terminal.lines()).toEqual([url])
    await waitUntil('the browser was asked', async () => (await read()) === url)
  })

  test('is not started by --no-browser, nor where the output is read by a program', async () => {
    const { BROWSER, read } = await browser('unused')
    const env = { ...owner(), BROWSER }
    expect(await onScreen(['open', offer.id, '--no-browser'], env).ended).toBe(0)
    await svc(['open', offer.id], env)
    // Later ones would be started after these.
    const used = await browser('used')
    await onScreen(['open', offer.id], { ...env, BROWSER: used.BROWSER }).ended
    await waitUntil('the last browser was asked', async () => (await used.read()) !== undefined)
    expect(await read()).toBeUndefined()
  })

  test('that cannot be started leaves the address', async () => {
    const terminal = onScreen(['open', order.id], { ...owner(), BROWSER: join(scene.dir, 'nothing') })
    expect(await terminal.ended).toBe(0)
    expect(terminal.lines()).toEqual([
      `${root}/orders/${order.id}`,
      'Could not open a browser. Open the address yourself.',
    ])
  })
})
