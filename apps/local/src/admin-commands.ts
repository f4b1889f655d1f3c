import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { offers } from '@svc/contract/offers/offers'
import { type QuotaName, quotaNames, quotas } from '@svc/contract/core/quotas'
import type { Command } from './admin-command.ts'

const services = { offers, 'auth-tokens': authTokens, compute, activity } as const

export const commands: Readonly<Record<string, Command>> = {
  'create-owner': {
    summary: 'create a verified user and a workspace owned by that user',
    options: { email: 'address', workspace: 'name' },
    takesPassword: true,
    async run(call, { options: { email = '', workspace = '' }, password, operator }) {
      const body = { email, workspace_name: workspace, ...(password !== undefined && { password }) }
      const answer = await invoke(call, authTokens, 'create_owner', { ...operator, body })
      return {
        answer,
        lines: [
          `${email} (${answer.user_id}) owns the workspace ${JSON.stringify(workspace)} (${answer.workspace_id}).`,
          ...(answer.link ? [`Choose a password there, within 24 hours: ${answer.link}`] : []),
        ],
      }
    },
  },
  'verify-user': {
    summary: 'mark a user’s email address as verified',
    options: { email: 'address' },
    async run(call, { options: { email = '' }, operator }) {
      const answer = await invoke(call, authTokens, 'verify_user', { ...operator, body: { email } })
      return { answer, lines: [`${email} (${answer.id}) is verified.`] }
    },
  },
  'reset-factors': {
    summary: 'remove all passkeys, the authenticator app and the recovery codes of a user who has lost them',
    options: { email: 'address' },
    async run(call, { options: { email = '' }, operator }) {
      const answer = await invoke(call, authTokens, 'reset_factors', { ...operator, body: { email } })
      return {
        answer,
        lines: [`${email} (${answer.id}) has no second factor, and signs in with the password.`],
      }
    },
  },
  'put-client': {
    summary: 'register a public OAuth client, or rename it',
    options: { id: 'client id', name: 'name' },
    async run(call, { options: { id = '', name = '' }, operator }) {
      const answer = await invoke(call, authTokens, 'put_oauth_client', { ...operator, body: { id, name } })
      return { answer, lines: [`The client ${answer.id} is now named ${JSON.stringify(name)}.`] }
    },
  },
  'keys list': {
    summary: 'list the keys that sign JWTs',
    options: {},
    async run(call, { operator }) {
      const answer = await invoke(call, authTokens, 'list_signing_keys', operator)
      const lines = answer.keys.map(
        ({ kid, state, created_at }) =>
          `${state.padEnd(7)}  ${kid}  since ${new Date(created_at * 1000).toISOString()}`,
      )
      return { answer, lines }
    },
  },
  'keys rotate': {
    summary: 'start signing with the next key, and create another next key',
    options: {},
    async run(call, { operator }) {
      const answer = await invoke(call, authTokens, 'rotate_signing_keys', operator)
      const { active, next, retired } = answer
      return { answer, lines: [`Active: ${active}. Retired: ${retired}. Next: ${next}.`] }
    },
  },
  'keys remove': {
    summary: 'remove a retired key: everything it signed is refused from now on',
    options: {},
    argument: 'kid',
    async run(call, { argument: kid, operator }) {
      await invoke(call, authTokens, 'remove_signing_key', { ...operator, body: { kid } })
      return { answer: { kid }, lines: [`${kid} is removed: everything it signed is refused.`] }
    },
  },
  'quotas set': {
    summary: `set a workspace’s quota (${quotaNames.join(', ')}), or "common" for the default`,
    options: { workspace: 'ws_…', quota: 'name', most: 'number or common' },
    async run(call, { options: { workspace = '', quota = '', most = '' }, operator }) {
      const { service } = quotas[quota as QuotaName] ?? { service: 'offers' }
      const body = { quota: quota as QuotaName, most: limitOf(most) }
      const caller = { ...operator.caller, workspace }
      const answer = await invoke(call, services[service], 'set_quota', { caller, body })
      return { answer, lines: [`Quota ${answer.quota} of ${workspace}: ${answer.most}.`] }
    },
  },
  'quotas list': {
    summary: 'show how much of each quota a workspace uses',
    options: { workspace: 'ws_…' },
    async run(call, { options: { workspace = '' }, operator }) {
      const caller = { ...operator.caller, workspace }
      const lists = await Promise.all(
        Object.values(services).map(service => invoke(call, service, 'list_quotas', { caller })),
      )
      const data = lists.flatMap(list => list.data)
      return {
        answer: { data },
        lines: data.map(({ quota, used, most }) => `${quota.padEnd(17)}  ${used} of ${most}`),
      }
    },
  },
  'secrets reseal': {
    summary:
      'seal every secret at rest with the first key of SEALING_KEYS; the other keys can be removed afterwards',
    options: {},
    async run(call, { operator }) {
      const signing_keys = await resealAll(after =>
        invoke(call, authTokens, 'reseal', { ...operator, body: { after } }),
      )
      const field_values = await resealAll(after =>
        invoke(call, offers, 'reseal', { ...operator, body: { after } }),
      )
      const webhook_secrets = await resealAll(after =>
        invoke(call, activity, 'reseal', { ...operator, body: { after } }),
      )
      return {
        answer: { signing_keys, field_values, webhook_secrets },
        lines: [
          `Sealed ${signing_keys} signing keys and authenticator apps, the values of ${field_values} rows and the secrets of ${webhook_secrets} webhook endpoints again.`,
        ],
      }
    },
  },
}

/**
 * Invalid numbers are passed on unchanged, so that the service explains what it accepts: `Number` would make them
 * null in JSON.
 */
function limitOf(text: string): number | null {
  if (text === 'common') return null
  return /^\d+$/.test(text) ? Number(text) : (text as never)
}

async function resealAll(some: (after?: string) => Promise<{ resealed: number; next: string | null }>) {
  let resealed = 0
  let after: string | undefined
  do {
    const answer = await some(after)
    resealed += answer.resealed
    after = answer.next ?? undefined
  } while (after !== undefined)
  return resealed
}

export const usage = `Usage: npm run admin -- <command> [--json]

${Object.entries(commands)
  .map(([name, command]) => `  ${synopsis(name, command)}\n      ${command.summary}`)
  .join('\n')}

--json prints the answer as JSON (npm run -s admin: and nothing else).
It calls what \`npm start\` runs on this machine (SVC_DATA_DIR), or the bus at NATS_URL as NATS_USER
(default: backoffice) with NATS_PASSWORD, or NATS_NKEY_SEED, and over TLS with NATS_TLS_CA_FILE.
Events say that SVC_OPERATOR did it, or else this machine's user.
Exit status: 0 done, 1 refused or unreachable, 2 invalid usage.
`

function synopsis(name: string, { options, argument, takesPassword }: Command): string {
  return [
    name,
    ...(argument ? [`<${argument}>`] : []),
    ...Object.entries(options).map(([option, value]) => `--${option} <${value}>`),
    ...(takesPassword ? ['[--password-stdin]'] : []),
  ].join(' ')
}
