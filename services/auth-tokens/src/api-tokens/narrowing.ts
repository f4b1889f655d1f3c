/** What an API token is narrowed to: docs/specification.md, R84 and R85. */
import { type Caller, maskOfCaller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import {
  beyondMembers,
  maskOf,
  type Permission,
  permissions,
  permissionsIn,
  type Preset,
  presets,
  wholeAccount,
} from '@svc/contract/core/permissions'
import { permissionMissing, requirePermission } from '@svc/contract/core/refuse-caller'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

/** The bitmap of permissions, or of a preset. */
export const maskOfWanted = (wanted: Preset | readonly Permission[]): string =>
  maskOf(typeof wanted === 'string' ? presets[wanted] : wanted)

/**
 * Refuses a caller that would grant more than it has.
 *
 * @param can null: as a member may
 * @throws ApiError `permission_missing`
 */
export function refuseToGrant(caller: Caller, can: string | null): void {
  if (can !== null) for (const permission of permissionsIn(can)) requirePermission(caller, permission)
  else if (maskOfCaller(caller) !== undefined) throw permissionMissing(wholeAccount)
}

/** A member, and whoever they invite, may whatever their role may. */
export const wholeRole = maskOf(permissions)

/** The names in the bitmap `can`, as JSON; null where it is. `get_bit` counts from the end of each byte. */
export const permissionNames = fragment`(
  select jsonb_agg(p.name order by bit)
  from unnest(${[...permissions]}::text[]) with ordinality as p (name, place), lateral (select place::int - 1) b (bit)
  where get_bit(decode(rpad(translate(can, '-_', '+/'), 40, 'A'), 'base64'), bit / 8 * 8 + 7 - bit % 8) = 1
)`

/** Whether a row of `api_tokens` may nothing that the caller may not. */
export function mayNoMoreThan(caller: Caller): Fragment {
  const own = maskOfCaller(caller)
  return own === undefined
    ? fragment`true`
    : fragment`coalesce(${permissionNames} <@ to_jsonb(${permissionsIn(own)}::text[]), false)`
}

/** Unix seconds. A JWT with a scope was handed on for minutes: it makes nothing that lasts. */
function endOf(caller: Caller): number {
  if (caller.kind === 'jwt' && caller.can !== undefined) return 0
  return ('ends_at' in caller && caller.ends_at) || Number.POSITIVE_INFINITY
}

/** Whether a row of `api_tokens` lives longer than the caller. */
export function outlives(caller: Caller): Fragment {
  const end = endOf(caller)
  return Number.isFinite(end)
    ? fragment`(expires_at is null or expires_at > to_timestamp(${end}))`
    : fragment`false`
}

/**
 * Refuses a caller of limited time what goes on after it.
 *
 * @param until Unix seconds; undefined: for ever
 * @throws ApiError `credential_kind`
 */
export function refuseOutliving(caller: Caller, until?: number): void {
  const end = endOf(caller)
  if ((until ?? Number.POSITIVE_INFINITY) <= end) return
  throw refusal('credential_kind', {
    path: ['expires_at'],
    message:
      end === 0
        ? 'A JWT with a scope gives no access that goes on after it. Use what it was exchanged for.'
        : `The session ends at ${end}, and gives no access that goes on after it: expires_at must be at most that.`,
  })
}

const ofMembers = permissions.filter(name => !beyondMembers.includes(name))

interface Wanted {
  /** Undefined or false: it stays. */
  readonly permissions: { readonly can: string | null } | undefined
  readonly addresses: { readonly networks: string[] | null } | false
}

/** Whether a row of `api_tokens` may do something with these that it may not do as it is. */
export function widens({ permissions: given, addresses }: Wanted): Fragment {
  const more = given
    ? fragment`case
        when ${given.can}::text is null then can is not null
        else not to_jsonb(${permissionsIn(given.can ?? '')}::text[]) <@
          case when can is null then to_jsonb(${ofMembers}::text[]) else coalesce(${permissionNames}, '[]') end
      end`
    : fragment`false`
  const elsewhere = addresses
    ? fragment`allowed_addresses is not null and (
        ${addresses.networks}::text[] is null or exists (
          select from unnest(${addresses.networks}::text[]) n
          where not exists (select from unnest(allowed_addresses) o where n::inet <<= o::inet)
        )
      )`
    : fragment`false`
  return fragment`(${more} or ${elsewhere})`
}

/**
 * Networks in their one spelling: the address of the network in RFC 5952, IPv4 in IPv6 as IPv4, a lone address as a network of one;
 * sorted, each once.
 *
 * @throws ApiError `Validation` naming the entry
 */
export const canonicalNetworks = (networks: readonly string[]): string[] =>
  [...new Set(networks.map(canonicalNetwork))].sort()

const mappedBits = 96

function canonicalNetwork(text: string, index: number): string {
  try {
    // The parser also takes octal, hexadecimal and shortened IPv4, and zones, which mean nothing here.
    if (!isIP(text.replace(/\/\d+$/, '')) || text.includes('%')) throw new Error(text)
    const [address, given] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), undefined]
    if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
      const bits = (given ?? 128) - mappedBits
      if (bits >= 0) return networkOf(address.toIPv4Address(), bits)
    }
    return networkOf(address, given ?? address.toByteArray().length * 8)
  } catch {
    throw refusal('invalid_body', {
      path: ['allowed_addresses', String(index)],
      message: `allowed_addresses.${index} must be an address or a network in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32.`,
    })
  }
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const kept = address
    .toByteArray()
    .map((byte, at) => byte & (0xff << Math.min(8, Math.max(0, 8 * (at + 1) - bits))))
  return `${ipaddr.fromByteArray(kept).toString()}/${bits}`
}

interface Narrowed {
  readonly can: string | null
  readonly allowed_addresses: string[] | null
}

/** For an answer that leaves out what is not narrowed. */
export const narrowedBy = ({ can, allowed_addresses }: Narrowed) => ({
  ...(can !== null && { permissions: permissionsIn(can) }),
  ...(allowed_addresses && { allowed_addresses }),
})

export const narrowingOf = ({ can, allowed_addresses }: Narrowed) => ({
  permissions: can === null ? null : permissionsIn(can),
  allowed_addresses,
})
