/** What owners and admins see of API tokens, and what members see. */
import type { ScopedCaller } from '@svc/contract/core/caller'
import type { Sql } from '@svc/runtime/database'
import { narrowingOf } from './narrowing.ts'
import type { ApiTokenRow } from './read-api-tokens.ts'

export const managesTokens = (caller: ScopedCaller) =>
  caller.kind === 'internal' || ('role' in caller && caller.role !== 'member')

export const forMembers = ({ ends_with_creator, can, allowed_addresses, ...token }: ApiTokenRow) => token

export async function withCreators(sql: Sql, workspace: string, tokens: readonly ApiTokenRow[]) {
  const ids = [...new Set(tokens.flatMap(({ created_by }) => created_by ?? []))]
  const creators = await readCreators(sql, workspace, ids)
  return tokens.map(token => withCreator(token, creators))
}

export const withCreatorOf = async (sql: Sql, workspace: string, token: ApiTokenRow) =>
  withCreator(token, await readCreators(sql, workspace, token.created_by === null ? [] : [token.created_by]))

interface Creator {
  readonly id: string
  readonly email: string
  readonly is_member: boolean
}

function withCreator({ can, allowed_addresses, ...token }: ApiTokenRow, creators: readonly Creator[]) {
  const creator = creators.find(({ id }) => id === token.created_by)
  return {
    ...token,
    ...narrowingOf({ can, allowed_addresses }),
    creator_email: creator?.email ?? null,
    creator_is_member: creator?.is_member ?? null,
  }
}

const readCreators = async (sql: Sql, workspace: string, ids: string[]) =>
  ids.length === 0
    ? []
    : sql<Creator>`/* auth_tokens.read_token_creators */
      select u.id, u.email, m.user_id is not null as is_member
      from users u left join memberships m on m.user_id = u.id and m.workspace_id = ${workspace}
      where u.id = any (${ids}::text[])`
