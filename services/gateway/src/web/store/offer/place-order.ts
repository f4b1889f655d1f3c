/** Turns a submitted form into an order: determines who orders for which workspace; the service does the rest. */
import { parseJson } from '@svc/bus/json'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { FastifyRequest } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { actingIn, type Member, type Workspace, workspacesOf } from '../../kit/visit/acting.ts'
import { fill } from '../../kit/forms/field-spec.ts'
import { field } from '../../kit/forms/form-fields.ts'
import { findCluster } from '../../kit/visit/own-clusters.ts'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { type OwnOrder, ownOrder } from './resolve-offer.ts'
import { nameField } from './workspace-field.tsx'
import { type FieldProblem, ids } from '../../kit/offers/offer-form-data.ts'
import { entriesOf, isRefusedAs, isUnanswered } from '../../kit/forms/refused-as.ts'
import { type Person, type VisitDeps, withOwnEmail } from '../../kit/visit/visit.ts'

export type Placed = { readonly order: string } | Refused

export interface Refused {
  readonly form: Readonly<Record<string, string>>
  readonly fields: readonly FieldProblem[]
  /** The same person has ordered since the form was rendered, and may not mean to order another one. */
  readonly orderedMeanwhile?: true
}

const nothing: readonly FieldProblem[] = []

/** Seconds. */
const sameClick = 5

/** @throws ApiError if the offer cannot be ordered */
export async function placeOrder(
  hash: string,
  person: Person,
  request: FastifyRequest,
  deps: VisitDeps,
): Promise<Placed> {
  const values = sentValues(request)
  if (!values)
    return {
      form: { '': 'Your details could not be read, so nothing was ordered. Enter them again.' },
      fields: nothing,
    }
  const chosen = await chooseWorkspace(person, request, deps)
  if ('problem' in chosen) return { form: chosen.problem, fields: nothing }
  const cluster = field(request, 'cluster')
  // Before anything begins: an order in progress cannot move to another workspace.
  const problem = cluster && (await clusterProblem(cluster, chosen, request, deps))
  if (problem) return { form: { cluster: problem }, fields: nothing }
  const isNews = ({ id, state }: OwnOrder) => state === 'completed' && id !== field(request, ids.latest)
  const latest = await ownOrder(hash, person, request, deps)
  if (latest && isNews(latest)) return meanwhile(latest)
  const options = {
    caller: withOwnEmail(person, chosen.member),
    ...callContext(request),
  }
  // A repetition answers with the order in progress.
  const { id, state } = await invoke(deps.call, offers, 'create_order', {
    ...options,
    params: { short_hash: hash },
  })
  if (state !== 'open') return { order: id }
  // The other one of two simultaneous requests may have begun and completed its order since the look-up.
  const other = id === latest?.id ? undefined : await ownOrder(hash, person, request, deps, id)
  if (other && isNews(other)) {
    await invoke(deps.call, offers, 'cancel_order', { ...options, params: { id } })
    return meanwhile(other)
  }
  try {
    const body = { field_values: values, ...(cluster && { cluster_id: cluster }) }
    await invoke(deps.call, offers, 'submit_order', { ...options, params: { id }, body })
  } catch (error) {
    // The first of two clicks was faster, or the order expired: its page shows that.
    if (isRefusedAs(error, 'wrong_state')) return { order: id }
    // There is an order, whatever happened to its values: its page shows how to continue.
    if (isUnanswered(error)) return { order: id }
    if (!(error instanceof ApiError) || !['Unprocessable', 'Validation'].includes(error.tag)) throw error
    const [ofCluster, ofValues] = [true, false].map(wanted =>
      entriesOf(error).filter(({ path }) => (path?.[0] === 'cluster_id') === wanted),
    )
    return {
      // It was deleted meanwhile.
      form: ofCluster?.length ? { cluster: notOf(chosen.name) } : {},
      fields: (ofValues ?? []).map(fieldProblem),
    }
  }
  return { order: id }
}

const meanwhile = ({ id, created_at }: OwnOrder): Placed =>
  nowInSeconds() - created_at < sameClick
    ? { order: id }
    : { form: {}, fields: nothing, orderedMeanwhile: true }

export function sentValues(request: FastifyRequest): Record<string, unknown> | undefined {
  try {
    const values = parseJson(Buffer.from(field(request, ids.values)))
    return typeof values === 'object' && values !== null && !Array.isArray(values)
      ? (values as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

interface Chosen {
  readonly member: Member
  readonly name: string
}

/** Why the cluster cannot be ordered for; undefined if it can. */
async function clusterProblem(
  id: string,
  { member, name }: Chosen,
  request: FastifyRequest,
  deps: VisitDeps,
): Promise<string | undefined> {
  try {
    return (await findCluster(id, member, request, deps)) ? undefined : notOf(name)
  } catch (error) {
    if (!isUnanswered(error)) throw error
    return 'We can’t check this cluster right now, so nothing was ordered. Try again in a moment, or order without a cluster.'
  }
}

/** The same text for a cluster of another workspace, theirs or not, and for one that does not exist. */
const notOf = (workspace: string) =>
  `This cluster doesn’t belong to ${workspace}. Select one of its clusters, or “Decide later”.`

/**
 * The workspace shown or chosen on the page, never another; for someone without one, a new one with the given
 * name.
 */
async function chooseWorkspace(
  person: Person,
  request: FastifyRequest,
  deps: VisitDeps,
): Promise<Chosen | { problem: Record<string, string> }> {
  const own = await workspacesOf(person, request, deps)
  if (own.length === 0) {
    const name = field(request, 'workspace_name').trim()
    const { problems } = fill([nameField], { workspace_name: name })
    if (Object.keys(problems).length > 0) return { problem: problems }
    await invoke(deps.call, authTokens, 'create_workspace', {
      caller: person.caller,
      body: { name },
      ...callContext(request),
    })
    // Two simultaneous clicks create two: both order for the older one.
    own.push(...(await workspacesOf(person, request, deps)).slice(0, 1))
  }
  const id = field(request, 'workspace') || justMade(own, person, field(request, 'workspace_name').trim())
  const member = await actingIn(id, request, deps)
  const name = own.find(one => one.id === id)?.name ?? id
  return member ? { member, name } : { problem: { workspace: 'Choose one of your workspaces.' } }
}

/** A second click has only the name: the first one has created a workspace with it. */
function justMade(own: readonly Workspace[], { email }: Person, name: string): string {
  const isMade = (one: Workspace) => one.name.normalize() === name.normalize() && one.owner === email
  const made = name ? own.filter(isMade) : own
  return (name || made.length === 1) && made[0] ? made[0].id : ''
}

function fieldProblem({ path = [], message }: { path?: string[]; message: string }): FieldProblem {
  const [first, ...inside] = path
  if (first !== ids.values) return { path: [], message }
  const prefix = `${[first, ...inside.slice(0, 1)].join('.')}: `
  return {
    path: inside,
    message: (message.startsWith(prefix) ? message.slice(prefix.length) : message).replace(/\.$/, ''),
  }
}
