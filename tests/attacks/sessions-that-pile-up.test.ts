// Somebody who has a person's password, or a program of theirs that has gone wrong, signs in again and again: sessions of one
// person had no bound, each with a row and a secret that works for months.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { maxSessions } from '@svc/contract/auth-tokens/sessions'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'

const product = forFile(joinProduct)

const caller = { kind: 'internal', id: 'test' } as const
const open = (user_id: string) =>
  invoke(product.backoffice, authTokens, 'create_session', { caller, body: { user_id } })

async function statuses(token: string) {
  const answers = await Promise.all(
    product.baseUrls.map(url => fetch(`${url}/sessions`, { headers: { authorization: `Bearer ${token}` } })),
  )
  await Promise.all(answers.map(answer => answer.arrayBuffer()))
  return answers.map(({ status }) => status)
}

test('the one that was used least lately ends at every gateway, from the reply to the next one on', async () => {
  const user = newId('user')
  await product.sql`insert into auth_tokens.users (id, email) values (${user}, ${`${user}@piles.example`})`
  const first = await open(user)
  const all = product.baseUrls.map(() => 200)
  // Asked often enough to be kept by every gateway.
  for (let times = 0; times < 5; times++) expect(await statuses(first.token)).toEqual(all)
  const others: string[] = []
  while (others.length < maxSessions - 1) others.push((await open(user)).token)
  // Its uses are written in the background, and would make another one go first.
  await product.sql`update auth_tokens.sessions set last_used_at = now() + interval '1 min' where user_id = ${user} and id <> ${first.id}`
  expect(await statuses(first.token)).toEqual(all)

  const last = await open(user)
  expect(await statuses(first.token)).toEqual(product.baseUrls.map(() => 401))
  for (const token of [others[0] ?? '', others.at(-1) ?? '', last.token]) {
    expect(await statuses(token)).toEqual(all)
  }
  const [row] =
    await product.sql`select count(*)::int as rows from auth_tokens.sessions where user_id = ${user}`
  expect(row).toEqual({ rows: maxSessions })
})
