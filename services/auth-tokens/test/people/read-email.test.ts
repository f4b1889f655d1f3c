// read_email: the address of a user, if it is verified.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)

const read = (user_id: string) => service.ask('read_email', internal(), { body: { user_id } })

test('returns the address once it is verified, and null before', async () => {
  const user = await service.newUser()
  expect(await read(user)).toEqual({ status: 200, body: { email: null } })
  const email = `${user}@test.example`
  expect((await service.ask('verify_user', internal(), { body: { email } })).status).toBe(200)
  expect(await read(user)).toEqual({ status: 200, body: { email } })
})

test('returns the current address, from every replica', async () => {
  const user = await service.newUser()
  for (const [email, verified] of [
    [`a.${user}@test.example`, true],
    [`b.${user}@test.example`, true],
    [`b.${user}@test.example`, false],
    [`b.${user}@test.example`, true],
  ] as const) {
    await service.sql`
      update auth_tokens.users set email = ${email}, verified_at = ${verified ? new Date() : null} where id = ${user}`
    const answers = await Promise.all(Array.from({ length: 10 }, () => read(user)))
    expect(answers).toEqual(Array(10).fill({ status: 200, body: { email: verified ? email : null } }))
  }
})

test('returns null for a user who does not exist', async () => {
  expect(await read(newId('user'))).toEqual({ status: 200, body: { email: null } })
})
