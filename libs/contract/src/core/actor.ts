/** The actor of an event: docs/inside/events.md. */
import * as z from 'zod'
import type { AgentCaller, Caller } from './caller.ts'

export const actorKinds = ['user', 'api_token', 'agent', 'install', 'internal', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

export const actor = z.strictObject({
  kind: z
    .enum(actorKinds)
    .describe(
      '`internal`: a program of the operator. `system`: the product itself, such as when time runs out.',
    ),
  id: z
    .string()
    .nullable()
    .describe(
      'Of the person, the token, the install or the agent’s cluster; the name of a program, or of a job of the product. Null: not signed in.',
    ),
  name: z
    .string()
    .nullable()
    .describe('At that time: a person’s address, a token’s name, or who ran a program. Null: unknown.'),
  credential_id: z.string().nullable().describe('The session or API token that was used; null: neither was.'),
  // Only this side of an order may see the actor.
  workspace_id: z.string().nullable().describe('The workspace in which they acted; null: in none.'),
})
export type Actor = z.infer<typeof actor>

export interface Attribution {
  readonly actor: string
  readonly request_id: string | null
  readonly address: string | null
}

const nobody = { id: null, name: null, credential_id: null, workspace_id: null }

/** A program that authenticates with the credential of its install. */
export const byInstall = (id: string, by: Attribution): Attribution => ({
  ...by,
  actor: JSON.stringify({ ...nobody, kind: 'install', id } satisfies Actor),
})

export function actorOf(caller: Caller | AgentCaller): Actor {
  if (caller.kind === 'agent') return { ...nobody, kind: 'agent', id: caller.cluster }
  if (caller.kind === 'anonymous') return { ...nobody, kind: 'user' }
  const { id, name = null, workspace: workspace_id = null } = caller
  if (caller.kind === 'internal') return { ...nobody, kind: 'internal', id, name, workspace_id }
  if (caller.kind === 'api_token') return { kind: 'api_token', id, name, credential_id: id, workspace_id }
  // A JWT of an outside issuer has no session: its id is the user's.
  const credential_id = id === caller.user ? null : id
  return { kind: 'user', id: caller.user, name, credential_id, workspace_id }
}

const printed = new WeakMap<object, string>()

export function actorText(caller: Caller | AgentCaller): string {
  const known = printed.get(caller)
  if (known) return known
  const text = JSON.stringify(actorOf(caller))
  printed.set(caller, text)
  return text
}

/** A change by the product itself; `job` names the part of it. */
export const bySystem = (job: string): Attribution => ({
  actor: JSON.stringify({ ...nobody, kind: 'system', id: job } satisfies Actor),
  request_id: null,
  address: null,
})
