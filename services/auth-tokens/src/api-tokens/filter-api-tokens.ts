import type { Sql } from '@svc/runtime/database'
import type { PageWanted } from '@svc/runtime/page-reader'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { type ApiTokenRow, apiTokenColumns } from './read-api-tokens.ts'

export interface TokenFilters {
  readonly kind?: 'ci' | undefined
  readonly ends_before?: number | undefined
  readonly unused_since?: number | undefined
}

/**
 * A statement of its own, because filters are rare and pages without them share theirs. It reads at most a
 * workspace's 500 tokens and as many that have ended, besides 300 of CI runs.
 *
 * @param now Unix milliseconds
 */
export const filterApiTokens = (
  sql: Sql,
  { workspace, after, limit }: Omit<PageWanted, 'deadline'>,
  { kind, ends_before, unused_since }: TokenFilters,
  now: number,
): Promise<ApiTokenRow[]> =>
  sql<ApiTokenRow>`/* auth_tokens.filter_api_tokens */
    select ${apiTokenColumns(now)}${kind ? fragment`, ci_trust_id, run` : nothing}
    from api_tokens
    where workspace_id = ${workspace} and id < ${after}
      and ci_trust_id is ${kind ? fragment`not null` : fragment`null`}
      ${
        ends_before === undefined
          ? nothing
          : fragment`and expires_at > to_timestamp(${Math.floor(now / 1000)}) and expires_at < to_timestamp(${ends_before})`
      }
      ${
        unused_since === undefined
          ? nothing
          : fragment`and greatest(created_at, last_used_at) < to_timestamp(${unused_since})`
      }
    order by id desc
    limit ${limit}`

const nothing: Fragment = fragment``
