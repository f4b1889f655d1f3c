// Commands that create something can be repeated with their key, against the running product, with pipes.
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { cliScene, rowsOf } from './cli-scene.ts'
import { svc } from './svc-here.ts'

const scene = cliScene()
const { owner, json } = scene

const idIn = (out: string) => Object.fromEntries(rowsOf(out)).id

test.each<[string, (ids: { product: string; package: string }) => string[]]>([
  ['packages', () => []],
  ['products', ids => ['--package', ids.package]],
  ['channels', ids => ['--product', ids.product]],
  ['clusters', () => []],
  ['workspace', () => []],
])('svc %s create says its key, and with it again shows what that made', async (noun, flags) => {
  const { id: made } = await json(['packages', 'create', '--name', 'Made'])
  const args = [noun, 'create', '--name', 'Once', ...flags({ product: scene.dev.product_id, package: made })]
  const first = await svc(args, owner())
  const [, key = ''] = /^Idempotency-Key: (\S+)\n/.exec(first.err) ?? []
  const again = await svc([...args, '--idempotency-key', key], owner())
  expect(again.code).toBe(0)
  expect(again.err).toMatch(/^This key was used before: this is the \w+ it created\.$/m)
  expect(idIn(again.out)).toBe(idIn(first.out))
  const other = await svc([...args, '--name', 'Another', '--idempotency-key', key], owner())
  expect(other).toMatchObject({ code: 5, err: expect.stringContaining('(40901)') })
})

test.each([
  ['tokens', ['--name', 'once']],
  ['webhooks', ['--url', 'https://hooks.example.com/svc', '--type', 'orders.*']],
])('svc %s create with a key again is refused with the id: status 5', async (noun, flags) => {
  const args = [noun, 'create', ...flags, '--idempotency-key', newId('offer')]
  const first = await json(args)
  const again = await svc(args, owner())
  expect(again).toMatchObject({ code: 5, out: '', err: expect.stringContaining('(40918)') })
  expect(again.err).toContain(`id: ${first.id}`)
})
