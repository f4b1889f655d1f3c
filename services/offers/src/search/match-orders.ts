import { allMatches, type Matches, matchesOf, matchesOfKind } from '@svc/contract/core/matches'
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { maxScanned, nameOfOffer, newest, type Wanted } from './match-offers.ts'

interface Row {
  readonly id: string
  readonly reference: string
  readonly name: string
  readonly email: string | null
  readonly install_id: string | null
}

/**
 * Orders and their installs: of both sides by address and reference, of the seller's also by the offer, of the customer's by what
 * was ordered. The seller's notes are in the words of the offer, which a customer's search does not read.
 */
export async function matchOrders(sql: Sql, { workspace, query, ordered }: Wanted): Promise<Matches> {
  const words = fragment`${query}::text::tsquery`
  const ofOffer = (id: Fragment) => fragment`(select words from offers where id = ${id}) @@ ${words}`
  const most = fragment`${matchesOfKind + 1}`
  const tooFew = fragment`(select least(
    (select count(*) from newest_orders), (select count(*) from newest_installs)
  ) < ${most})`
  const rows = await sql<Row>`/* offers.match_orders */
    with newest_orders as (
      select id from (
        select id, offer_id, words from orders
        where workspace_id = ${workspace} order by id desc limit ${newest}
      ) o
      where words @@ ${words} or ${ofOffer(fragment`o.offer_id`)}
      order by id desc
      limit ${most}
    ), newest_installs as (
      select order_id as id from (
        select id, order_id, offer_id from installs where workspace_id = ${workspace}
        order by id desc limit ${newest}
      ) i
      where (select words from orders where id = i.order_id) @@ ${words} or ${ofOffer(fragment`i.offer_id`)}
      order by i.id desc
      limit ${most}
    ), found as (
      select id from newest_orders
      union
      select id from newest_installs
      union
      select unnest(${ordered}::text[])
      union
      select id from (
        select id, workspace_id, customer_workspace_id from orders
        where words @@ ${words} and ${tooFew}
        limit ${maxScanned}
      ) i
      where ${workspace} in (workspace_id, customer_workspace_id)
      union
      select h.id
      from (
        select id, workspace_id from offers where words @@ ${words} and ${tooFew} limit ${maxScanned}
      ) f cross join lateral (
        select id from orders where offer_id = f.id order by id desc limit ${most}
      ) h
      where f.workspace_id = ${workspace}
    ), with_installs as (
      select id, (select i.id from installs i where i.order_id = found.id) as install_id from found
    ), shown as (
      (select * from with_installs order by id desc limit ${most})
      union
      (select * from with_installs where install_id is not null order by id desc limit ${most})
    )
    select o.id, order_reference(o.id) as reference, o.email, s.install_id, (${nameOfOffer(fragment`o.offer_id`)}) as name
    from shown s join orders o on o.id = s.id
    order by o.id desc`
  const detailOf = (...parts: (string | null)[]) => parts.filter(part => part !== null).join(' · ')
  return allMatches([
    matchesOf(
      'order',
      rows.map(({ id, reference, name, email }) => ({ id, name: reference, detail: detailOf(name, email) })),
    ),
    matchesOf(
      'install',
      rows.flatMap(({ install_id: id, reference, name, email }) =>
        id === null ? [] : [{ id, name, detail: detailOf(reference, email) }],
      ),
    ),
  ])
}
