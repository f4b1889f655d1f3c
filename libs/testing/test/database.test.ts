import postgres from 'postgres'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../src/database.ts'

test('databases created at the same time are separate, and no role can access the schema of another', async () => {
  const databases = await Promise.all(Array.from({ length: 6 }, createTestDatabase))
  const [first, second] = databases
  if (!first || !second) throw new Error('no databases')

  await query(first.urls.offers, 'create table offers.mine (n int)')
  await expect(query(second.urls.offers, 'select from offers.mine')).rejects.toMatchObject({ code: '42P01' })
  await expect(query(first.urls.compute, 'select from offers.mine')).rejects.toMatchObject({ code: '42501' })
  await expect(query(first.urls.compute, 'create table auth_tokens.x ()')).rejects.toMatchObject({
    code: '42501',
  })

  await Promise.all(databases.map(database => database.drop()))
  await expect(query(first.urls.offers, 'select')).rejects.toMatchObject({ code: '3D000' })
})

async function query(url: string, text: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(text)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
