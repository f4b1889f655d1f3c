// A person signs in on the pages, at the second attempt, and approves a device, which gets its token.
import type { DevUser } from '@svc/local/seed-demo'
import { expect } from 'vitest'
import { ask } from './answers.ts'
import { Jar } from './web/cookie-jar.ts'

export const guessed = 'guessed guessed guessed'

export async function approveDevice(site: string, { email, password }: DevUser) {
  const jar = new Jar()
  for (const tried of [guessed, password]) {
    const { csrf } = await jar.ask(`${site}/sign-in?return_to=/sessions&email=${email}`)
    await jar.ask(`${site}/sign-in`, {
      form: { _csrf: csrf, return_to: '/sessions', email, password: tried },
    })
  }
  const device = await ask(`${site}/oauth/device_authorization`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_id=svc-cli',
  })
  const { device_code, user_code } = JSON.parse(device.text) as Record<'device_code' | 'user_code', string>
  const { csrf } = await jar.ask(`${site}/device?user_code=${user_code}`)
  const confirm = await jar.ask(`${site}/device`, { form: { _csrf: csrf, user_code } })
  const [, grant_id = ''] = /name="grant_id" value="([^"]+)"/.exec(confirm.text) ?? []
  const approved = await jar.ask(`${site}/device/decision`, {
    form: { _csrf: confirm.csrf, grant_id, client: 'svc', decision: 'approved' },
  })
  expect(approved.status).toBe(200)
  const granted = await ask(`${site}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'svc-cli',
        device_code,
      }),
    ),
  })
  expect(granted.status).toBe(200)
  const { access_token } = JSON.parse(granted.text) as { access_token: string }
  return {
    jar,
    user_code,
    device_code,
    access_token,
  }
}
