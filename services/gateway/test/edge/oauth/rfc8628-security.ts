/** Sections 5 and 6 of RFC 8628: security, and the format of codes. */
import type { Clause } from './clauses.ts'

const deviceGrant = (title: string) => ({
  file: 'services/auth-tokens/test/device-grant/device-grant.test.ts',
  title,
})
const guessing = (title: string) => ({
  file: 'services/auth-tokens/test/device-grant/guessing.test.ts',
  title,
})
const refusals = (title: string) => ({
  file: 'services/gateway/test/edge/oauth/oauth-refusals.test.ts',
  title,
})
const pages = (title: string) => ({
  file: 'services/gateway/test/web/account/device/device-pages.test.ts',
  title,
})
const ofClient = { notHere: 'it binds the client and its screen' }

export const securityClauses: Clause[] = [
  [
    '5.1',
    'SHOULD',
    'user codes have enough entropy, with a limit on attempts',
    guessing('five guesses of each account'),
  ],
  ['5.1', 'SHOULD', 'attempts are limited for each account, too', guessing('sessions of one account')],
  ['5.2', 'SHOULD', 'device codes have a very high entropy', guessing('user codes have 8 of 20 letters')],
  [
    '5.3',
    'SHOULD',
    'what is known of the browser is not taken for what is known of the device',
    deviceGrant('the person sees which client asks'),
  ],
  [
    '5.4',
    'RECOMMENDED',
    'the person is told that a device asks, and which, and to compare the code',
    pages('a person signs in, sees who asks'),
  ],
  [
    '5.4',
    'SHOULD',
    'codes live too short for phishing to be easy',
    deviceGrant('a code can be neither entered nor decided'),
  ],
  [
    '5.5',
    'SHOULD',
    'who reads the code off a screen cannot take over what someone else has entered',
    deviceGrant('a code is bound to the account that enters it first'),
  ],
  [
    '5.6',
    'SHOULD',
    'clients on devices are public ones',
    refusals('%s: unknown, malformed or with a secret in the body'),
  ],
  ['5.7', 'RECOMMENDED', 'codes that are not shown are told to people nearby alone', ofClient],
  [
    '6.1',
    'RECOMMENDED',
    'letters of one case, without vowels, in a readable form',
    guessing('user codes have 8 of 20 letters'),
  ],
  [
    '6.1',
    'RECOMMENDED',
    'case and punctuation of what is typed do not matter',
    pages('a code is accepted with %s'),
  ],
]
