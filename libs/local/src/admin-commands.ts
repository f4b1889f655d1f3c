/** The operator's commands: each is one bus-only operation. */
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens'
import { compute } from '@svc/contract/compute'
import { offers } from '@svc/contract/offers'
import { type QuotaName, quotaNames, quotas } from '@svc/contract/quotas'

/** Values of the options and the arguments after the command's name, as they were written. */
export interface Given {
  readonly options: Readonly<Record<string, string>>
  readonly argument: string
  /** What came on standard input, where `--password-stdin` asks for it. */
  readonly password: string | undefined
}

export interface Command {
  readonly summary: string
  /** Options with a value; all are needed. */
  readonly options: Readonly<Record<string, string>>
  /** The name of its one argument, where it has one. */
  readonly argument?: string
  readonly takesPassword?: boolean
  /** The operation's answer, and the lines that tell it to a person. */
  run(call: CallBus, given: Given): Promise<{ answer: object; lines: string[] }>
}

const services = { offers, 'auth-tokens': authTokens, compute } as const

const operator = { caller: { kind: 'internal', id: 'admin' } } as const

export const commands: Readonly<Record<string, Command>> = {
  'create-owner': {
    summary: 'create a verified user and a workspace that is theirs',
    options: { email: 'address', workspace: 'name' },
    takesPassword: true,
    async run(call, { options: { email = '', workspace = '' }, password }) {
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
    summary: 'mark the address of a user as verified',
    options: { email: 'address' },
    async run(call, { options: { email = '' } }) {
      const answer = await invoke(call, authTokens, 'verify_user', { ...operator, body: { email } })
      return { answer, lines: [`${email} (${answer.id}) is verified.`] }
    },
  },
  'put-client': {
    summary: 'register a public OAuth client, or rename it',
    options: { id: 'client id', name: 'name' },
    async run(call, { options: { id = '', name = '' } }) {
      const answer = await invoke(call, authTokens, 'put_oauth_client', { ...operator, body: { id, name } })
      return { answer, lines: [`The client ${answer.id} is called ${JSON.stringify(name)}.`] }
    },
  },
  'keys list': {
    summary: 'list the keys that sign JWTs',
    options: {},
    async run(call) {
      const answer = await invoke(call, authTokens, 'list_signing_keys', operator)
      const lines = answer.keys.map(
        ({ kid, state, created_at }) =>
          `${state.padEnd(7)}  ${kid}  since ${new Date(created_at * 1000).toISOString()}`,
      )
      return { answer, lines }
    },
  },
  'keys rotate': {
    summary: 'sign with the next key, and make another next one',
    options: {},
    async run(call) {
      const answer = await invoke(call, authTokens, 'rotate_signing_keys', operator)
      const { active, next, retired } = answer
      return { answer, lines: [`${active} signs now, ${retired} is retired, ${next} is the next one.`] }
    },
  },
  'keys remove': {
    summary: 'refuse from now on whatever a key that no longer signs has signed',
    options: {},
    argument: 'kid',
    async run(call, { argument: kid }) {
      await invoke(call, authTokens, 'remove_signing_key', { ...operator, body: { kid } })
      return { answer: { kid }, lines: [`${kid} is removed: what it has signed is refused.`] }
    },
  },
  'quotas set': {
    summary: `give a workspace a quota of its own (${quotaNames.join(', ')}), or "common" again`,
    options: { workspace: 'ws_…', quota: 'name', most: 'number or common' },
    async run(call, { options: { workspace = '', quota = '', most = '' } }) {
      const { service } = quotas[quota as QuotaName] ?? { service: 'offers' }
      const body = { quota: quota as QuotaName, most: mostOf(most) }
      const caller = { ...operator.caller, workspace }
      const answer = await invoke(call, services[service], 'set_quota', { caller, body })
      return { answer, lines: [`${workspace} may have ${answer.most} of ${answer.quota}.`] }
    },
  },
  'quotas list': {
    summary: 'tell what a workspace has of each quota',
    options: { workspace: 'ws_…' },
    async run(call, { options: { workspace = '' } }) {
      const caller = { ...operator.caller, workspace }
      const lists = await Promise.all(
        Object.values(services).map(service => invoke(call, service, 'list_quotas', { caller })),
      )
      const data = lists.flatMap(list => list.data)
      return {
        answer: { data },
        lines: data.map(({ quota, used, most }) => `${quota.padEnd(16)}  ${used} of ${most}`),
      }
    },
  },
  'secrets reseal': {
    summary: 'seal every secret at rest with the first key of SEALING_KEYS; the other keys can go then',
    options: {},
    async run(call) {
      const signing_keys = await resealAll(after =>
        invoke(call, authTokens, 'reseal', { ...operator, body: { after } }),
      )
      const field_values = await resealAll(after =>
        invoke(call, offers, 'reseal', { ...operator, body: { after } }),
      )
      return {
        answer: { signing_keys, field_values },
        lines: [`${signing_keys} signing keys and the values of ${field_values} rows were sealed again.`],
      }
    },
  },
}

/** What is no number goes as it is, so that the service says what it takes: `Number` would make null of it in JSON. */
function mostOf(text: string): number | null {
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
(backoffice unless told) with NATS_PASSWORD, or NATS_NKEY_SEED, and over TLS with NATS_TLS_CA_FILE.
Exit status: 0 done, 1 refused or not reachable, 2 not understood.
`

function synopsis(name: string, { options, argument, takesPassword }: Command): string {
  return [
    name,
    ...(argument ? [`<${argument}>`] : []),
    ...Object.entries(options).map(([option, value]) => `--${option} <${value}>`),
    ...(takesPassword ? ['[--password-stdin]'] : []),
  ].join(' ')
}
