import { array, assert, constantFrom, option, property } from 'fast-check'
import { expect, test } from 'vitest'
import { allows, lessened, maskOf, permissions, permissionsIn } from '../src/core/permissions.ts'

/** As of the releases in which they appeared. A moved or removed name would change what stored bitmaps allow. */
const released = [
  'catalogue:read',
  'catalogue:write',
  'offers:read',
  'offers:write',
  'orders:read',
  'orders:write',
  'installs:read',
  'installs:write',
  'clusters:read',
  'clusters:write',
  'webhooks:read',
  'webhooks:write',
  'api_tokens:read',
  'api_tokens:write',
  'members:read',
  'members:write',
  'workspace:read',
  'workspace:write',
  'events:read',
  'limits:read',
  'audit_log:read',
  'policies:activate',
  'orders:decide',
  'clusters:settings',
]

const some = array(constantFrom(...permissions))
const mask = option(some.map(maskOf), { nil: undefined })

test('permissions keep their places', () => {
  expect(permissions.slice(0, released.length)).toEqual(released)
})

test('the bitmap is base64url of the bits in the order of the list, without zeros at its end', () => {
  expect(maskOf([])).toBe('')
  expect(maskOf(['catalogue:read'])).toBe('g')
  const bits = Buffer.from(`${maskOf(permissions)}AAAA`, 'base64url').subarray(0, 3)
  expect([...bits]).toEqual([0xff, 0xff, 0xff])
  // A caller's text stays within what services keep parsed.
  expect(maskOf(permissions).length).toBeLessThan(20)
})

test('a bitmap allows what it was made of, and nothing else', () => {
  assert(
    property(some, names => {
      const made = maskOf(names)
      expect(permissionsIn(made)).toEqual(permissions.filter(name => names.includes(name)))
      expect(maskOf(permissionsIn(made))).toBe(made)
    }),
  )
})

test('a lessened scope allows what it and the credential allow', () => {
  assert(
    property(mask, some.map(maskOf), constantFrom(...permissions), (can, scope, name) => {
      expect(allows(lessened({ kind: 'session', can }, scope), name)).toBe(
        allows(can, name) && allows(scope, name),
      )
    }),
  )
})
