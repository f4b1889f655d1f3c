/** An example of the contract as lines for a shell and for a TypeScript program, with the variables of the guides. */
import { headerName } from '@svc/contract/core/operation'
import { commandOf } from '@svc/contract/openapi/reference'
import type { Example } from '@svc/contract/openapi/example'
import type { NamedOperation } from '@svc/contract/services'
import { root } from '@svc/contract/core/root'
import { shortName } from '@svc/contract/short-names'

export function curlLine({ definition: { http }, by, request }: Example): string {
  const { params = {}, query, headers = {}, body } = request
  const path = http?.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') ?? ''
  const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : ''
  const needsMethod = http?.method !== (body === undefined ? 'GET' : 'POST')
  const sent = [
    ...(by === 'nobody' ? [] : [`-H "Authorization: Bearer ${by === 'script' ? '$token' : '$session'}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${headerName(name)}: ${value}`)}`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ]
  return [`curl -sS ${needsMethod ? `-X ${http?.method} ` : ''}"$base${path}${search}"`, ...sent].join(
    ' \\\n  ',
  )
}

export function clientLine({ operation, request }: Example): string {
  const { group, verb } = shortName(operation)
  const sent = Object.keys(request).length > 0 ? literal(request) : ''
  return `const answer = await client.${group}.${verb}(${sent})`
}

/** Undefined: `svc` has no command for it, or none that follows from the contract alone. */
export function svcLine(named: NamedOperation, { request: { params = {} } }: Example): string | undefined {
  const command = commandOf(named)
  if (!command) return undefined
  if (command.examples?.[0]) return `svc ${command.examples[0]}`
  if (command.own) return `svc ${command.name} --help`
  const { workspaceParam } = named.operation.access
  const ids = Object.entries(params).flatMap(([name, id]) => (name === workspaceParam ? [] : [id]))
  return ['svc', command.name, ...ids].join(' ')
}

export const pathOf = ({ http }: NamedOperation['operation']): string => `${root}${http?.path}`

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** JSON, with the names that need no quotes in TypeScript without them. */
const literal = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
