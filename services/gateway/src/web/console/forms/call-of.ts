/** The call of an operation, as lines for a terminal. */
import type { Operation } from '@svc/contract/core/operation'
import type { Scene } from '../shell/scene.ts'
import type { CallSpec } from './command-lines.ts'
import type { FieldSpec } from '../../kit/forms/field-spec.ts'

interface Details {
  readonly params?: Readonly<Record<string, string>>
  /** Filters of a list, which are options of `svc`. */
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly fields?: readonly FieldSpec[]
  readonly fixed?: object
  /** Words of `svc`. */
  readonly svc: string
  /** Ids that follow the words of the `svc` command. */
  readonly args?: readonly string[]
  /** A part of the body that `svc` reads from a file. */
  readonly file?: { readonly flag: string; readonly at: string }
}

export function callOf(
  { apiUrl, workspace }: Scene,
  { http, access, body }: Operation,
  { params = {}, query, headers, fields, fixed, svc, args = [], file }: Details,
): CallSpec {
  const path = (http?.path ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
  return {
    method: http?.method ?? 'GET',
    url: apiUrl + path + search,
    workspace: access.workspace ? workspace.id : undefined,
    ...(headers && { headers }),
    ...(body && (fields || fixed) && { fields: fields ?? [], fixed }),
    svc: [...svc.split(' '), ...args, ...(query ? filterOptions(query) : [])],
    file,
  }
}

const otherNames: Readonly<Record<string, string>> = { offer_channel_id: 'channel' }
/** How a list is read, not what is in it. */
const isNoFilter = (name: string) => name === 'limit' || name === 'order'

/** `package_version_id` is `--package-version`, as everywhere in `svc`. */
const filterOptions = (query: Readonly<Record<string, string>>): string[] =>
  Object.entries(query)
    .filter(([name]) => !isNoFilter(name))
    .flatMap(([name, value]) => [
      `--${otherNames[name] ?? name.replace(/_id$/, '').replaceAll('_', '-')}`,
      value,
    ])
