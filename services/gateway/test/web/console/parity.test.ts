// The console against the contract: each operation of the HTTP API has a page, or a reason why not; docs/parity.md says which.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { referenceOf } from '@svc/contract/openapi/reference'
import { type NamedOperation, operations } from '@svc/contract/services'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
test('every place is a page, and where there is none a sentence says why', () => {
  for (const named of served) {
    const { page: place } = referenceOf(named)
    const { service, name } = named
    if (typeof place === 'object') {
      expect(place.reason).toMatch(/^[A-Z].+\.$/)
      continue
    }
    const url = place.startsWith('~') ? place.slice(1) : `/console/:workspace${place}`
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
    .filter(file => /\.tsx?$/.test(file))
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  for (const named of served) {
    const { service, name } = named
    if (typeof referenceOf(named).page === 'object') continue
    const called =
      text.includes(`'${name}'`) ||
      (/^(accept|decline)_invitation$/.test(name) && text.includes('}_invitation`'))
    expect(called, `${service}.${name} is called by no page`).toBe(true)
  }
})

test('docs/parity.md says where each is: `npx vitest run services/gateway/test/web/console/parity.test.ts -u` writes it', async () => {
  const rows = served.map(named => {
    const { http } = named.operation
    const { page: place } = referenceOf(named)
    const page = typeof place === 'string' ? `\`${shown(place)}\`` : place.reason
    const line = commandOf(named)
    return `| \`${http?.method} ${http?.path}\` | ${page} | ${line} |`
  })
  const page = [...introduction, '| operation | console | command |', '|-|-|-|', ...rows, ''].join('\n')
  await expect(page).toMatchFileSnapshot('../../../../../docs/parity.md')
})

function commandOf(named: NamedOperation): string {
  const { command } = referenceOf(named)
  if (typeof command === 'object' && 'reason' in command) return command.reason
  return `\`svc ${typeof command === 'string' ? command : command.name}\``
}

const shown = (place: string) => (place.startsWith('~') ? place.slice(1) : `/console/<workspace>${place}`)

const introduction = [
  '# Where each operation is',
  '',
  '2026-11-24',
  '',
  'The console and `svc` have no operations of their own: what they do, the HTTP API does. This is where each operation is found in both, or the reason why it is not.',
  '`svc api` sends any request. Both stand with what the reference says of the operation, in `libs/contract`: one without them does not compile.',
  '',
]
