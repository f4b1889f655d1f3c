/** Who is behind a change, as its event says: docs/events.md. */
import * as z from 'zod'
import type { AgentCaller, Caller } from './caller.ts'

export const actorKinds = ['user', 'api_token', 'agent', 'internal', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

export const actor = z.strictObject({
  kind: z.enum(actorKinds),
  /** Of the person, the token or the agent's cluster; the name of a program, or of a job of the product. Null: not signed in. */
  id: z.string().nullable(),
  /** At that time: the address of a person, the name of a token, who gave a command to a program. */
  name: z.string().nullable(),
  /** Of the session or the API token. */
  credential_id: z.string().nullable(),
  /** In which they acted: of the two sides of an order, only this one may see who they are. */
  workspace_id: z.string().nullable(),
})
export type Actor = z.infer<typeof actor>

/** By whom, by which request and from where something was done. */
export interface Attribution {
  /** JSON of an {@link Actor}. */
  readonly actor: string
  readonly request_id: string | null
  /** Of the caller, as the gateway sees it. */
  readonly address: string | null
}

const nobody = { id: null, name: null, credential_id: null, workspace_id: null }

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

/** Callers are kept by the text that they came as, so each is printed once. */
const printed = new WeakMap<object, string>()

/** {@link actorOf} as JSON. */
export function actorText(caller: Caller | AgentCaller): string {
  const known = printed.get(caller)
  if (known) return known
  const text = JSON.stringify(actorOf(caller))
  printed.set(caller, text)
  return text
}

/** What the product does by itself: `job` says which part of it. */
export const bySystem = (job: string): Attribution => ({
  actor: JSON.stringify({ ...nobody, kind: 'system', id: job } satisfies Actor),
  request_id: null,
  address: null,
})
