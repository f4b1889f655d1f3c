/**
 * The demo workspace of `npm start`, created once: people and catalogue with the operator's operations, workspaces
 * and members as users create them.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { createClient } from '@svc/client/client'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import { compute } from '@svc/contract/compute/compute'
import { ApiError } from '@svc/contract/core/errors'
import { type ChannelPolicy, offers } from '@svc/contract/offers/offers'
import { patient } from './patient-call.ts'
import { readIfPresent, writePrivateFile } from './private-file.ts'
import type { SeedInput } from './start.ts'

export interface DevUser {
  email: string
  password: string
  session_token: string
}

/** `.svc/dev.json`: an interface for scripts and tests, so its keys must not change. */
export interface DevFile {
  base_url: string
  workspace_id: string
  other_workspace_id: string
  api_token: string
  other_api_token: string
  owner: DevUser
  admin: DevUser
  member: DevUser
  stranger: DevUser
  product_id: string
  package_version_id: string
  offer_channel_id: string
  cluster_id: string
  other_cluster_id: string
}

export async function seedDemo({
  stack,
  dataDir,
  baseUrl,
  domain = 'demo.example',
  addUser = addVerifiedUser,
  addMember = inviteMember,
}: SeedInput & {
  domain?: string
  addUser?: AddUser
  addMember?: AddMember
}): Promise<DevFile> {
  const path = join(dataDir, 'dev.json')
  const silent = { info() {}, warn() {}, error() {} }
  const bus = await connectBus(stack.bus('backoffice'), silent)
  try {
    const call = patient(createCall(bus))
    const before = JSON.parse((await readIfPresent(path)) ?? 'null') as DevFile | null
    const demo =
      (before && (await refresh(call, { ...before, base_url: baseUrl }))) ??
      (await create(call, { baseUrl, domain, addUser, addMember }))
    await writePrivateFile(path, `${JSON.stringify(demo, null, 2)}\n`)
    return demo
  } finally {
    await bus.close()
  }
}

interface Plan {
  readonly baseUrl: string
  readonly domain: string
  readonly addUser: AddUser
  readonly addMember: AddMember
}

async function create(
  call: CallBus,
  { baseUrl: base_url, domain, addUser, addMember }: Plan,
): Promise<DevFile> {
  const createUser = async (name: string): Promise<DevUser & { id: string }> => {
    const email = `${name}@${domain}`
    const { id, password } = await addUser(call, email)
    return { id, email, password, session_token: await openSession(call, id) }
  }
  const createWorkspace = async (owner: DevUser, name: string): Promise<string> =>
    (await asPerson(base_url, owner).create_workspace({ body: { name } })).body.id
  const [owner, other, admin, member, stranger] = await Promise.all([
    createUser('owner'),
    createUser('other-owner'),
    createUser('admin'),
    createUser('member'),
    createUser('stranger'),
  ])
  const [workspace_id, other_workspace_id] = await Promise.all([
    createWorkspace(owner, 'Demo'),
    createWorkspace(other, 'Other'),
  ])
  const addMembers = async () => {
    const membership = { baseUrl: base_url, workspace: workspace_id, owner }
    await addMember({ ...membership, person: admin, role: 'admin' })
    await addMember({ ...membership, person: member, role: 'member' })
  }
  const [catalogue, api_token, other_api_token, cluster_id, other_cluster_id] = await Promise.all([
    createCatalogue(call, workspace_id, base_url),
    createToken(call, workspace_id),
    createToken(call, other_workspace_id),
    createCluster(call, workspace_id),
    createCluster(call, other_workspace_id),
    addMembers(),
  ])
  return {
    base_url,
    workspace_id,
    other_workspace_id,
    api_token,
    other_api_token,
    owner: devUserOf(owner),
    admin: devUserOf(admin),
    member: devUserOf(member),
    stranger: devUserOf(stranger),
    ...catalogue,
    cluster_id,
    other_cluster_id,
  }
}

const asPerson = (baseUrl: string, { session_token: token }: DevUser) =>
  createClient({ baseUrl, token })['auth-tokens']

const devUserOf = ({ email, password, session_token }: DevUser): DevUser => ({
  email,
  password,
  session_token,
})

/**
 * Renews expired or revoked credentials, and changes nothing else. Undefined if the database does not know the
 * demo: the file belongs to another one.
 */
async function refresh(call: CallBus, demo: DevFile): Promise<DevFile | undefined> {
  try {
    if (!(await accepted(demo.base_url, demo.api_token))) {
      demo.api_token = await createToken(call, demo.workspace_id)
    }
    if (!(await accepted(demo.base_url, demo.other_api_token))) {
      demo.other_api_token = await createToken(call, demo.other_workspace_id)
    }
  } catch (error) {
    if (error instanceof ApiError && error.tag === 'Forbidden') return undefined
    throw error
  }
  for (const name of ['owner', 'admin', 'member', 'stranger'] as const) {
    const user = demo[name]
    if (await accepted(demo.base_url, user.session_token)) continue
    const id = await putUser(call, credentials(user))
    user.session_token = await openSession(call, id)
  }
  return demo
}

async function accepted(baseUrl: string, credential: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/installs`, { headers: { authorization: `Bearer ${credential}` } })
  await response.body?.cancel()
  return response.status !== 401
}

const backoffice = (workspace?: string) => ({
  caller: { kind: 'internal', id: 'backoffice', workspace } as const,
})

const credentials = ({ email, password }: DevUser) => ({ email, password })

export type AddMember = (membership: {
  readonly baseUrl: string
  readonly workspace: string
  readonly owner: DevUser
  readonly person: DevUser & { readonly id: string }
  readonly role: Role
}) => Promise<void>

const inviteMember: AddMember = async ({ baseUrl, workspace, owner, person, role }) => {
  const body = { email: person.email, role }
  const { id } = (await asPerson(baseUrl, owner).add_member({ params: { id: workspace }, body })).body
  await asPerson(baseUrl, person).accept_invitation({ params: { id } })
}

export type AddUser = (call: CallBus, email: string) => Promise<{ id: string; password: string }>

export const addVerifiedUser: AddUser = async (call, email) => {
  // Contains no parts of the people's addresses, which are refused in passwords.
  const password = randomBytes(12).toString('hex')
  return { id: await putUser(call, { email, password }), password }
}

async function putUser(call: CallBus, body: { email: string; password: string }): Promise<string> {
  const { id } = await invoke(call, authTokens, 'put_user', { ...backoffice(), body })
  await invoke(call, authTokens, 'verify_user', { ...backoffice(), body: { email: body.email } })
  return id
}

async function openSession(call: CallBus, user_id: string): Promise<string> {
  const session = await invoke(call, authTokens, 'create_session', { ...backoffice(), body: { user_id } })
  return session.token
}

async function createToken(call: CallBus, workspace: string): Promise<string> {
  const { token } = await invoke(call, authTokens, 'create_api_token', {
    ...backoffice(workspace),
    body: { name: 'demo' },
  })
  return token
}

async function createCatalogue(call: CallBus, workspace: string, baseUrl: string) {
  const admin = backoffice(workspace)
  const name = 'Acme Analytics'
  const { id: package_id } = await invoke(call, offers, 'create_package', { ...admin, body: { name } })
  const { id: current_package_version_id } = await invoke(call, offers, 'create_package_version', {
    ...admin,
    params: { id: package_id },
    body: { version: '1.0.0', input_schema: demoSchema, instructions: demoInstructions(baseUrl) },
  })
  const { id: product_id } = await invoke(call, offers, 'create_product', {
    ...admin,
    body: { name, package_id, current_package_version_id },
  })
  const { id: offer_channel_id } = await invoke(call, offers, 'create_offer_channel', {
    ...admin,
    body: { product_id, name: 'Transfer' },
  })
  await invoke(call, offers, 'create_channel_policy', {
    ...admin,
    params: { id: offer_channel_id },
    body: { policy: demoPolicy, activate: true },
  })
  return { product_id, package_version_id: current_package_version_id, offer_channel_id }
}

async function createCluster(call: CallBus, workspace: string): Promise<string> {
  const asked = { ...backoffice(workspace), body: { name: 'demo' } }
  const { id } = await invoke(call, compute, 'create_cluster', asked)
  return id
}

const demoSchema = {
  type: 'object',
  properties: {
    company: {
      type: 'string',
      title: 'Company',
      description: 'The name shown on your reports.',
      minLength: 1,
      maxLength: 100,
    },
    region: {
      type: 'string',
      title: 'Region',
      description: 'Where your data is stored.',
      enum: ['eu', 'us'],
    },
    seats: {
      type: 'integer',
      title: 'Seats',
      description: 'How many people will use it.',
      minimum: 1,
      maximum: 500,
    },
    domain: {
      type: 'string',
      title: 'Domain',
      description: 'Such as acme.example: people with an email address there may join.',
      pattern: '^[a-z0-9.-]+$',
    },
  },
  required: ['region', 'company'],
}

const demoInstructions = (
  baseUrl: string,
) => `Welcome, **{{ field.company }}**. Your data is stored in \`{{ field.region }}\`.

1. Create the credential with which the program reads its settings: {{ credential }}.
2. Let the program read them, with the credential in the place of \`CREDENTIAL\`:

   \`\`\`sh
   curl -sS ${baseUrl}/installs/{{ install.id }}/field_values -H 'Svc-Install-Credential: CREDENTIAL'
   \`\`\`
`

const demoPolicy: ChannelPolicy = {
  approval: 'automatic',
  checkout: 'required',
  support: 'Email, replies within one working day.',
  grace_days: 7,
  payment_instructions:
    'Transfer the amount to DE02 1203 0000 0000 2020 51 (Acme GmbH) and name the reference of your order.',
  entitlements: { plan: 'team', seats: 25 },
  licence_days: 30,
  pricing: {
    kind: 'range',
    currencies: ['eur', 'usd'],
    intervals: ['month', 'year'],
    min_unit_amount: 100,
    max_unit_amount: 1_000_000,
    default_price: { currency: 'eur', unit_amount: 4900, interval: 'month' },
  },
  allow_non_billable_test: true,
  default_commercial_mode: 'paid',
}
