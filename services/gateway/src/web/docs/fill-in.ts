import { maxGraceSeconds, maxNetworks } from '@svc/contract/auth-tokens/api-tokens'
import { maxSessions } from '@svc/contract/auth-tokens/sessions'
import { maxErrorEntries } from '@svc/contract/core/errors'
import { eventTable } from '@svc/contract/events'
import { mailGroups, mailKinds } from '@svc/contract/auth-tokens/mail'
import { type QuotaName, quotaNames, quotas } from '@svc/contract/core/quotas'
import { endOfTime } from '@svc/contract/core/text'
import { maxParameters } from '@svc/contract/core/validate'
import { maxJsonDepth, maxJsonKeys } from '@svc/bus/json'
import { defaultBudgetMs } from '@svc/bus/wire'
import { gatewayConfig } from '../../config.ts'
import { bodyLimit, maxHeaderSize, maxHeaders, receiveMs } from '../../edge/http/http-limits.ts'
import { maxTokenLength } from '../../edge/jwt/read-token.ts'
import { addressPace } from '../../edge/limits/pace-addresses.ts'
import { codeSections, tagTable } from './error-tables.ts'
import { boundsTable } from './field-bounds.ts'
import { permissionTable } from './permission-table.ts'
import { roleTable } from './role-table.ts'

/** Replaces `{{name}}` in a guide with the value from the code; the gateway fills in `{{public_url}}`. */
export function fillIn(markdown: string): string {
  return markdown.replace(/\{\{(\w+)\}\}/g, (left, name: string) => {
    if (name === 'public_url') return left
    const value = values[name]
    if (value === undefined) throw new Error(`Nothing is known by the name {{${name}}}`)
    return typeof value === 'function' ? value() : String(value)
  })
}

const values: Record<string, number | (() => string)> = {
  tag_table: tagTable,
  code_sections: codeSections,
  bounds_table: boundsTable,
  event_table: eventTable,
  role_table: roleTable,
  permission_table: permissionTable,
  mail_table: mailTable,
  quotas_table: quotasTable,
  body_kib: bodyLimit / 1024,
  body_too_large: bodyLimit + 1,
  json_depth: maxJsonDepth,
  json_keys: maxJsonKeys,
  parameters: maxParameters,
  headers_kib: maxHeaderSize / 1024,
  headers_count: maxHeaders,
  receive_seconds: receiveMs / 1000,
  budget_seconds: defaultBudgetMs / 1000,
  connections: gatewayConfig.MAX_CONNECTIONS_PER_ADDRESS.parse(undefined),
  address_mib: addressPace.bytesPerSecond / 1024 ** 2,
  address_burst_seconds: addressPace.burstSeconds,
  rate_credential: gatewayConfig.RATE_LIMIT_CREDENTIAL.parse(undefined),
  rate_workspace: gatewayConfig.RATE_LIMIT_WORKSPACE.parse(undefined),
  burst_seconds: gatewayConfig.RATE_LIMIT_BURST_SECONDS.parse(undefined),
  in_flight: gatewayConfig.MAX_IN_FLIGHT.parse(undefined),
  jwt_kib: maxTokenLength / 1024,
  networks: maxNetworks,
  sessions: maxSessions,
  grace_days: maxGraceSeconds / 86_400,
  error_entries: maxErrorEntries,
  end_of_time: endOfTime,
}

function quotasTable(): string {
  const row = (name: QuotaName) =>
    `| \`${name}\`: ${quotas[name].counts} | ${quotas[name].most.toLocaleString('en')} |`
  return quotaNames.map(row).join('\n')
}

function mailTable(): string {
  const readers = { seller: 'the seller', customer: 'the customer', owner: 'owners' }
  const groups = Object.entries(readers) as [keyof typeof readers, string][]
  return groups
    .flatMap(([group, who]) => mailGroups[group].map(kind => `| \`${kind}\` | ${who} | ${mailKinds[kind]} |`))
    .join('\n')
}
