/** What a credential may do, as a bitmap that its caller carries: docs/specification.md, R84. */

/** A permission's place is its bit, so the list only grows at its end (`test/permissions.test.ts`). */
export const permissions = [
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
] as const
export type Permission = (typeof permissions)[number]

/** The scope of a credential that may do whatever its person may: no permission, since nothing includes it. */
export const wholeAccount = 'account'

/** Permissions that a token has only where they are named: its role, `member`, does not include them. */
export const beyondMembers: readonly Permission[] = ['audit_log:read']

export const reading = (names: readonly Permission[]): Permission[] =>
  names.filter(name => name.endsWith(':read'))

export const presets = {
  read: reading(permissions).filter(name => !beyondMembers.includes(name)),
  ci: ['catalogue:read', 'catalogue:write', 'offers:read', 'offers:write'],
} as const satisfies Record<string, readonly Permission[]>
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as [Preset, ...Preset[]]

/** Base64url (RFC 4648, 5) without padding: six bits to a character, the first permission in the highest bit. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const bitsPerCharacter = 6

/** @returns the bitmap of these permissions in base64url, the same for the same set; '' for none */
export function maskOf(names: Iterable<Permission>): string {
  const sixes: number[] = []
  for (const name of names) {
    const bit = permissions.indexOf(name)
    const at = Math.floor(bit / bitsPerCharacter)
    while (sixes.length <= at) sixes.push(0)
    sixes[at] = (sixes[at] ?? 0) | highest(bit)
  }
  return sixes.map(six => alphabet[six]).join('')
}

/** @param mask undefined: unrestricted */
export function allows(mask: string | undefined, permission: Permission): boolean {
  if (mask === undefined) return true
  const bit = permissions.indexOf(permission)
  return (alphabet.indexOf(mask.charAt(Math.floor(bit / bitsPerCharacter)) || 'A') & highest(bit)) !== 0
}

export const permissionsIn = (mask: string): Permission[] => permissions.filter(name => allows(mask, name))

/**
 * The part of `scope` that a credential may. An unrestricted API token may what a member may.
 *
 * @param scope a bitmap
 */
export const lessened = ({ kind, can }: Restricted, scope: string): string =>
  maskOf(
    permissionsIn(scope).filter(
      name =>
        allows(can, name) && (kind !== 'api_token' || can !== undefined || !beyondMembers.includes(name)),
    ),
  )

interface Restricted {
  readonly kind: string
  readonly can?: string | undefined
}

const highest = (bit: number): number => 1 << (bitsPerCharacter - 1 - (bit % bitsPerCharacter))
