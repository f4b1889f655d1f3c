/** `npm run admin -- keys …` against the whole product. */
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { createAdminHere } from '@svc/testing/stack/admin-here'
import { joinProduct } from '@svc/testing/stack/join-product'

const running = forFile(joinProduct)
let admin: ReturnType<typeof createAdminHere>

beforeAll(() => {
  admin = createAdminHere(running.stack.bus('backoffice'))
})

async function keys(): Promise<Record<string, string>> {
  const { code, out } = await admin(['keys', 'list', '--json'])
  expect(code).toBe(0)
  const listed = JSON.parse(out).keys as { kid: string; state: string }[]
  expect(out).not.toContain('"d"')
  return Object.fromEntries(listed.map(({ kid, state }) => [kid, state]))
}

test('keys are listed, rotated when the next one is known everywhere, and removed when they no longer sign', async () => {
  const before = await keys()
  expect(Object.values(before).sort()).toEqual(['active', 'next'])
  const { code, out } = await admin(['keys', 'list'])
  expect(code).toBe(0)
  for (const [kid, state] of Object.entries(before))
    expect(out).toMatch(new RegExp(`^${state} +${kid} `, 'm'))

  // As if both had existed for a day.
  await running.sql`update auth_tokens.signing_keys set created_at = created_at - interval '1 day'`
  const rotated = await admin(['keys', 'rotate', '--json'])
  expect(rotated).toMatchObject({ code: 0, err: '' })
  const { retired, active, next } = JSON.parse(rotated.out)
  expect(before).toEqual({ [retired]: 'active', [active]: 'next' })
  expect(await keys()).toEqual({ [retired]: 'retired', [active]: 'active', [next]: 'next' })

  const early = await admin(['keys', 'rotate'])
  expect(early).toMatchObject({ code: 1, out: '' })
  expect(early.err).toMatch(/^[^\n]+\n$/)

  const refused = await admin(['keys', 'remove', active])
  expect(refused).toMatchObject({ code: 1, out: '' })
  const removed = await admin(['keys', 'remove', retired])
  expect(removed).toEqual({
    code: 0,
    out: `${retired} is removed: everything it signed is refused.\n`,
    err: '',
  })
  expect(await keys()).toEqual({ [active]: 'active', [next]: 'next' })
  expect((await admin(['keys', 'remove', retired])).code).toBe(1)
  // As one in 64 ids begins.
  for (const kid of ['-unknown', '--unknown']) {
    expect(await admin(['keys', 'remove', kid, '--json'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no such signing key/),
    })
  }
})
