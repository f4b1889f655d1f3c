import { createTestDatabase } from '@svc/testing/database'
import { onTestFinished, expect, test } from 'vitest'
import { openDatabase } from '../src/database.ts'
import { changeConnectionString } from '../src/connection/connection-string.ts'

const sizes = { DATABASE_POOL_SIZE: 1, DATABASE_QUEUE_LIMIT: 1 }

async function answer(DATABASE_URL: string, DATABASE_SECOND_PASSWORD?: string) {
  const database = openDatabase({
    ...sizes,
    DATABASE_URL,
    ...(DATABASE_SECOND_PASSWORD && { DATABASE_SECOND_PASSWORD }),
  })
  try {
    return await database.sql`/* tests.one */ select 1 as one`
  } finally {
    await database.close()
  }
}

test('statements are executed with whichever of two passwords the role has, and with no other', async () => {
  const { urls, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { password } = new URL(urls.offers)
  const wrong = changeConnectionString(urls.offers, { password: 'p@ss' })
  expect(new URL(wrong).password).toBe('p%40ss')
  expect(await answer(wrong, decodeURIComponent(password))).toEqual([{ one: 1 }])
  expect(await answer(urls.offers, 'wrong')).toEqual([{ one: 1 }])
  await expect(answer(wrong, 'wrong')).rejects.toMatchObject({ code: '28P01' })
  await expect(answer(wrong)).rejects.toMatchObject({ code: '28P01' })
})
