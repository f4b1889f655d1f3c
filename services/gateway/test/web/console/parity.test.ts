// The console against the contract: each operation of the HTTP API has a page, or a reason why not; docs/parity.md says which.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operations } from '@svc/contract/services'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationCommands } from '../../../../../apps/cli/src/operation-commands.ts'
import { operationPlaces } from '../../../src/web/console/operation-places.ts'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'

let here: GatewayHere
let stop: () => Promise<void>
beforeAll(async () => {
  const product = await joinProduct()
  here = await startGatewayHere(product)
  stop = async () => {
    await here.stop()
    await product.stop()
  }
})
afterAll(() => stop?.())

const served = operations.filter(({ operation }) => operation.http)
const placeOf = (service: string, name: string) =>
  (operationPlaces as Record<string, Record<string, string | { reason: string }>>)[service]?.[name]

test('every operation of the HTTP API has an entry, and every entry an operation', () => {
  const entries = Object.entries(operationPlaces).flatMap(([service, places]) =>
    Object.keys(places).map(name => `${service}.${name}`),
  )
  expect(entries.sort()).toEqual(served.map(({ service, name }) => `${service}.${name}`).sort())
})

test('every place is a page, and where there is none a sentence says why', () => {
  for (const { service, name } of served) {
    const place = placeOf(service, name)
    if (typeof place === 'object') {
      expect(place.reason).toMatch(/^[A-Z].+\.$/)
      continue
    }
    const url = place?.startsWith('~') ? place.slice(1) : `/console/:workspace${place}`
    const methods = here.methodsOf(url)
    expect(methods, `${service}.${name}: ${url}`).not.toEqual([])
  }
})

test('the pages call the operations that they stand for', () => {
  const src = fileURLToPath(new URL('../../../src/web/', import.meta.url))
  const text = ['kit', 'account', 'store', 'console']
    .flatMap(folder =>
      readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' }).map(file =>
        join(src, folder, file),
      ),
    )
    .filter(file => /\.tsx?$/.test(file) && !file.endsWith('operation-places.ts'))
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  for (const { service, name } of served) {
    if (typeof placeOf(service, name) === 'object') continue
    const called =
      text.includes(`'${name}'`) ||
      (/^(accept|decline)_invitation$/.test(name) && text.includes('}_invitation`'))
    expect(called, `${service}.${name} is called by no page`).toBe(true)
  }
})

test('docs/parity.md says where each is: `npx vitest run services/gateway/test/web/console/parity.test.ts -u` writes it', async () => {
  const rows = served.map(({ service, name, operation: { http } }) => {
    const place = placeOf(service, name)
    const page = typeof place === 'string' ? `\`${shown(place)}\`` : place?.reason
    const command = commandOf(service, name)
    const line = typeof command === 'string' ? `\`svc ${command}\`` : command?.reason
    return `| \`${http?.method} ${http?.path}\` | ${page} | ${line} |`
  })
  const page = [...introduction, '| operation | console | command |', '|-|-|-|', ...rows, ''].join('\n')
  await expect(page).toMatchFileSnapshot('../../../../../docs/parity.md')
})

const commandOf = (service: string, name: string) =>
  (operationCommands as Record<string, Record<string, string | { reason: string }>>)[service]?.[name]

const shown = (place: string) => (place.startsWith('~') ? place.slice(1) : `/console/<workspace>${place}`)

const introduction = [
  '# Where each operation is',
  '',
  '2026-11-24',
  '',
  'The console and `svc` have no operations of their own: what they do, the HTTP API does. This is where each operation is found in both, or the reason why it is not.',
  '`svc api` sends any request. The table is made from [operation-places.ts](../services/gateway/src/web/console/operation-places.ts) and',
  '[operation-commands.ts](../apps/cli/src/operation-commands.ts), which are typed by the contract: an operation without an entry does not compile.',
  '',
]
