import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { scaled } from '@svc/contract/core/deadline-scale'
import { ApiError } from '@svc/contract/core/errors'
import { allMatches, type MatchKind, matchKinds, type Matches, maxWords } from '@svc/contract/core/matches'
import type { Handler } from '@svc/contract/core/operation'
import { refuseInWorkspace } from '@svc/contract/core/refuse-caller'
import { wordsOf } from '@svc/contract/core/words'
import { offers } from '@svc/contract/offers/offers'
import type { Sql } from '@svc/runtime/database'
import { maxNames, type Named, nameMatches } from '@svc/runtime/name-matches'
import type { Deps } from '../deps.ts'

/** A service that takes longer is left out. */
const withinMs = 1000

const others = { offers, compute, activity } as const

/** A caller finds the kinds that it may list. */
const { searches: lists } = authTokens.operations.search_resources

/** Each service searches its own rows; they are asked concurrently, and one that does not answer is left out. */
export const searchResources: Handler<typeof authTokens.operations.search_resources, Deps> = async (
  { query: { q } },
  caller,
  { sql, call, callBus },
) => {
  const { workspace } = caller
  const words = wordsOf(q).slice(0, maxWords)
  if (words.length === 0) return { body: { data: [], more: [], unsearched: [] } }
  const asked = {
    caller: { kind: 'internal', id: 'auth-tokens', workspace },
    body: { words },
    deadline: Math.min(call.deadline, Date.now() + scaled(withinMs)),
    requestId: call.request_id,
  } as const
  const mayRead = (kind: MatchKind) => !refuseInWorkspace(lists[kind], caller)
  const names = (['offers', 'compute', 'activity'] as const).filter(name => matchKinds[name].some(mayRead))
  const [own, ...found] = await Promise.all([
    matchOwn(sql, workspace, words),
    ...names.map(name => invoke(callBus, others[name], 'list_matches', asked).catch(ifUnanswered)),
  ])
  const { data, more } = allMatches([...found.filter(one => one !== undefined), own])
  return {
    body: {
      data: data.filter(({ kind }) => mayRead(kind)),
      more: more.filter(mayRead),
      unsearched: names.flatMap((name, at) => (found[at] ? [] : matchKinds[name])).filter(mayRead),
    },
  }
}

function ifUnanswered(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status < 500) throw error
}

async function matchOwn(sql: Sql, workspace: string, words: string[]): Promise<Matches> {
  const [tokens, members] = await Promise.all([
    sql<Named>`/* auth_tokens.list_token_names */
      select id, name from api_tokens where workspace_id = ${workspace} and ci_trust_id is null order by id desc limit ${maxNames}`,
    sql<Named>`/* auth_tokens.list_member_names */
      select u.id, u.email as name, m.role as detail
      from memberships m join users u on u.id = m.user_id
      where m.workspace_id = ${workspace} order by m.user_id desc limit ${maxNames}`,
  ])
  return allMatches([nameMatches('api_token', words, tokens), nameMatches('member', words, members)])
}
