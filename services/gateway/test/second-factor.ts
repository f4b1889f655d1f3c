// A person sets up an authenticator app on the pages, and signs in with a recovery code at the second attempt.
import { codeOf } from '@svc/testing/authenticator'
import { expect } from 'vitest'
import { guessed } from './approve-device.ts'
import { Jar } from './web/cookie-jar.ts'

/** @returns what only the person may know */
export async function useSecondFactor(
  site: string,
  { email, password }: { email: string; password: string },
) {
  const jar = new Jar()
  const signIn = async () => {
    const { csrf } = await jar.ask(`${site}/sign-in`)
    return jar.ask(`${site}/sign-in`, { form: { _csrf: csrf, email, password } })
  }
  await signIn()
  const { csrf } = await jar.ask(`${site}/security/authenticator/new`)
  const started = await jar.ask(`${site}/security/authenticator/new`, { form: { _csrf: csrf, password } })
  const hidden = (name: string) =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(started.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const [permit, sealed, secret, uri] = ['permit', 'sealed', 'secret', 'uri'].map(hidden) as [
    string,
    string,
    string,
    string,
  ]
  const form = { _csrf: started.csrf, permit, sealed, secret, uri, code: codeOf(secret) }
  const added = await jar.ask(`${site}/security/authenticator`, { form })
  const codes = [...added.text.matchAll(/<code>([\w-]{19})<\/code>/g)].map(([, code = '']) => code)
  expect(codes).toHaveLength(10)

  jar.cookies.delete('__Host-svc_session')
  expect((await signIn()).headers.get('location')).toBe('/sign-in/factor?return_to=%2F')
  const pending = jar.cookies.get('__Host-svc_pending') ?? ''
  for (const code of [guessed, codes[0] ?? '']) {
    const step = await jar.ask(`${site}/sign-in/factor`)
    await jar.ask(`${site}/sign-in/factor`, { form: { _csrf: step.csrf, code } })
  }
  const session = jar.cookies.get('__Host-svc_session') ?? ''
  expect(session).toHaveLength(32)
  return [permit, sealed, secret, pending, session, ...codes, ...codes.map(code => code.replaceAll('-', ''))]
}
