/** docs/specification.md, R78; docs/inside/search.md. */
import { allMatches } from '@svc/contract/core/matches'
import { beginWords, wordsOf } from '@svc/contract/core/words'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'
import { maxNames, type Named, nameMatches } from '@svc/runtime/name-matches'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { maxScanned, matchOffers, nameOfOffer } from './match-offers.ts'
import { matchOrders } from './match-orders.ts'
import { wordsQuery } from './scoped-words.ts'

/** A search by more names than these is by words of offers and orders alone. */
const maxProducts = 50

/** One at a time of each workspace: who has very much of the same name waits for themselves. */
export const listMatches: Handler<typeof offers.operations.list_matches, Deps> = async (
  { body: { words } },
  { workspace },
  { sql, searchTurns, call },
) => ({
  body: await searchTurns(workspace, call.deadline, () => match(sql, workspace, words)),
})

async function match(sql: Sql, workspace: string, words: string[]) {
  const [products, packages, bought] = await Promise.all([
    sql<Named>`/* offers.list_product_names */
      select id, name from products where workspace_id = ${workspace} order by id desc limit ${maxNames}`,
    sql<Named>`/* offers.list_package_names */
      select id, name from packages where workspace_id = ${workspace} order by id desc limit ${maxNames}`,
    sql<{ name: string; orders: string[] }>`/* offers.list_ordered_names */
      select name, to_jsonb((array_agg(id order by id desc))[:${maxProducts}]) as orders
      from (
        select id, (${nameOfOffer(fragment`o.offer_id`)}) as name
        from (
          select id, offer_id from orders where customer_workspace_id = ${workspace}
          order by id desc limit ${maxScanned}
        ) o
      ) named
      group by 1`,
  ])
  const split = products.map(({ id, name }) => ({ id, own: wordsOf(name) }))
  const productsWith = (word: string) =>
    split
      .filter(({ own }) => beginWords([word], own))
      .slice(0, maxProducts)
      .map(({ id }) => id)
  const wanted = {
    workspace,
    query: wordsQuery(workspace, words, productsWith),
    ordered: bought.flatMap(({ name, orders }) => (beginWords(words, wordsOf(name)) ? orders : [])),
  }
  const [own, orders] = await Promise.all([matchOffers(sql, wanted), matchOrders(sql, wanted)])
  return allMatches([
    nameMatches('product', words, products),
    nameMatches('package', words, packages),
    own,
    orders,
  ])
}
