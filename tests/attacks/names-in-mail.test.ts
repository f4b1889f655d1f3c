// Any account, through a workspace name: our mail had a subject and a text of its choice, with links to elsewhere, and
// with characters that hide or reverse the text around them.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hasWebAddress } from '@svc/runtime/web-address'
import { anyCharacter } from '@svc/testing/any-character'
import { newId } from '@svc/runtime/id'
import { sender } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { messageText } from '../../services/auth-tokens/src/mail/message-text.ts'

const product = forFile(joinProduct)

const hidden: readonly (readonly [string, string])[] = [
  ['a line break', 'Acme\nYour account is closed'],
  ['a carriage return', 'Acme\rBcc: all@evil.example'],
  ['a tab', 'Acme\tLtd'],
  ['NUL', 'Acme\u0000'],
  ['an escape, for terminals', 'Acme\u001b[2J'],
  ['delete', 'Acme\u007f'],
  ['a control of C1', 'Acme\u0085Ltd'],
  ['a line separator', 'Acme\u2028Ltd'],
  ['a paragraph separator', 'Acme\u2029Ltd'],
  ['an override of direction', '\u202eemcA'],
  ['an isolate', '\u2067emcA\u2069'],
  ['a mark of direction', 'Acme\u200fLtd'],
  ['the Arabic mark of direction', 'Acme\u061cLtd'],
  ['a space of no width', 'Ac\u200bme'],
  ['a joiner', 'Ac\u200dme'],
  ['a joiner of letters that are not joined', 'کار\u200cافزار'],
  ['a joiner at the end', 'Acme\u200d'],
  ['a joiner between an emoji and a letter', '👩\u200dA'],
  ['tags of a flag that is none', '\u{1f3f4}\u{e0061}\u{e0062}\u{e007f}'],
  ['a word joiner', 'Ac\u2060me'],
  ['a byte order mark', '\ufeffAcme'],
  ['a soft hyphen', 'Ac\u00adme'],
  ['tags', 'Acme\u{e0041}\u{e0042}'],
  ['a selector of variants', 'Acme\u{e0100}'],
  ['a combining joiner', 'Ac\u034fme'],
  ['a Hangul filler', '\u3164'],
  ['a blank of Braille', '\u2800'],
  ['half a character', 'Acme\ud800'],
]
const links: readonly (readonly [string, string])[] = [
  ['https', 'https://evil.example/sign-in'],
  ['in the middle', 'Acme: sign in at http://evil.example now'],
  ['another scheme', 'ftp://evil.example'],
  ['of a made-up scheme', 'slack://open'],
  ['www.', 'www.evil.example'],
  ['WWW.', 'Go to WWW.Evil.example'],
  ['a domain with a path', 'evil.example/sign-in'],
  ['a domain with a port', 'evil.example:8443'],
  ['a domain with a query', 'evil.example?to=you'],
  ['a domain with a fragment', 'evil.example#now'],
  ['a domain with a full stop and a path', 'evil.example./x'],
  ['a domain of two letters with a path', 'evil.io/x'],
  ['a domain in capitals', 'EVIL.COM/X'],
  ['a domain after others', 'Node.js/React by evil.co.uk/x'],
  ['a number of a host with a path', '192.0.2.1/x'],
  ['fullwidth', '\uff48\uff54\uff54\uff50\uff53\uff1a\uff0f\uff0fevil.example'],
  ['a fullwidth full stop', 'evil\uff0eexample/x'],
  ['an ideographic full stop', 'evil\u3002example/x'],
  ['of other letters', 'пример.рф/вход'],
  ['of other letters in capitals', 'ПРИМЕР.РФ/X'],
  ['of letters with marks', 'कि.भारत/x'],
  ['in the form of the DNS', 'evil.xn--p1ai/x'],
  ['of an emoji', '❤.ws/x'],
  ['with a sign that is not seen', 'evil.io\ufe0f/x'],
  ['with a full-width slash', 'evil.io／x'],
  ['a number of a host with a port', '192.0.2.1:8443'],
  ['a host of a network', 'router.local/x'],
  ['a domain in a sentence', 'v1.2/beta: see evil.dev?x'],
  ['a word with a dot, where the Internet has its end', 'React.is/fun'],
]
const usual = [
  'Acme',
  'Dr. Smith & Co.',
  'Booking.com',
  'Amazon.com, Inc.',
  'Yahoo!',
  'AT&T',
  'A/B Testing Ltd',
  'Société Générale S.A.',
  'Müller GmbH & Co. KG',
  'E.ON',
  'Toys "R" Us',
  '株式会社トヨタ',
  'شركة الاتصالات',
  'I ❤️ NY',
  'نرم\u200cافزار',
  'क्\u200dष',
  '👨\u200d👩\u200d👧 & Co.',
  '👩🏽\u200d💻',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'Node.js: Berlin',
  'Node.js/React GmbH',
  'A.S./Denmark',
  'v1.2/beta team',
  'S.p.A./Italia',
  'Öko e.V./Bücher?',
  'Team...in/out',
  '1.2.3/4',
  'Team 🚀',
  '3M',
  'Wait. What?',
  'ada@example.com',
]

const create = async (name: string) => {
  const { base_url, stranger } = product.dev
  const answer = await fetch(`${base_url}/workspaces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stranger.session_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const { errors } = (await answer.json()) as { errors?: { code: number; path: string[]; message: string }[] }
  return { status: answer.status, errors }
}

describe('a workspace name cannot contain an attack', () => {
  test.each(hidden)('with %s', async (_, name) => {
    const { status, errors } = await create(name)
    expect(status).toBe(400)
    expect(errors).toMatchObject([{ code: 40002, path: ['name'] }])
  })

  test.each(links)('with a link: %s', async (_, name) => {
    expect(await create(name)).toMatchObject({
      status: 400,
      errors: [{ code: 40002, path: ['name'], message: expect.stringContaining('web address') }],
    })
  })
})

describe('nor can a name that is given otherwise', () => {
  const internal = { caller: { kind: 'internal', id: 'backoffice' } } as const
  const name = 'evil.io/x'
  const ways: Record<string, () => Promise<unknown>> = {
    update_workspace: async () => {
      const { base_url, owner, workspace_id } = product.dev
      return sender(base_url)('PATCH', `/workspaces/${workspace_id}`, owner.session_token, { body: { name } })
    },
    create_owner: () =>
      invoke(product.backoffice, authTokens, 'create_owner', {
        ...internal,
        body: { email: `${newId('user')}@people.example`, workspace_name: name },
      }),
    put_oauth_client: () =>
      invoke(product.backoffice, authTokens, 'put_oauth_client', {
        ...internal,
        body: { id: newId('client'), name },
      }),
  }
  test.each(Object.keys(ways))('by %s', async way => {
    const error = (await ways[way]?.().catch(problem => problem)) as Error & { body?: unknown }
    expect(`${error?.message} ${JSON.stringify(error?.body)}`).toContain(
      'name must not contain a web address.',
    )
  })
})

test.each(usual)('a workspace may be called %s', async name => {
  expect((await create(name)).status).toBe(201)
})

/** What all mail programs turn into a link: a scheme, or dotted words, the last of which begins with a letter. */
const linkified = /[a-z]:\/\/|[\p{L}\p{N}]\.[\p{L}\p{N}]|mailto:\S/iu

/** Without joiners and tags, which the table above has. */
const unseen = (text: string) =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/u.test(
    text.replace(/\u200c|\u200d|[\u{e0020}-\u{e007f}]/gu, ''),
  )

const ofNoNotice = { workspace_id: null, notice: null, seller_name: null, member_email: null, user_id: null }

const mailOf = (workspace_name: string, inviter: string | null = 'ada@example.com', signed_up = false) =>
  messageText(
    {
      ...ofNoNotice,
      id: 'msg_1',
      kind: 'invitation',
      email: 'you',
      attempts: 1,
      role: 'member',
      workspace_name,
      inviter,
      details: null,
      signed_up,
      wanted: true,
    },
    'LINK',
    'HERE',
  )

test('mail about a webhook endpoint names its host, and contains no link', () => {
  const { text } = messageText(
    {
      ...ofNoNotice,
      id: 'msg_1',
      kind: 'webhook',
      email: 'you',
      attempts: 1,
      role: null,
      workspace_name: 'evil.example',
      inviter: null,
      details: { kind: 'failing', host: 'hooks.acme.example', since: 0 },
      signed_up: true,
      wanted: true,
    },
    'LINK',
    'HERE',
  )
  expect(text).toContain(
    'The webhook endpoint at hooks. acme. example of the workspace "evil. example" at HERE',
  )
  expect(text).not.toMatch(linkified)
})

describe('mail about a name that is already stored', () => {
  const calm = { newcomer: mailOf('Acme'), known: mailOf('Acme', undefined, true) }

  function expectHarmless(name: string) {
    for (const [signed_up, expected] of [
      [false, calm.newcomer],
      [true, calm.known],
    ] as const) {
      const { subject, text } = mailOf(name, undefined, signed_up)
      expect(subject).toBe(expected.subject)
      const [before = '', after = ''] = expected.text.split('Acme')
      expect(text.startsWith(before)).toBe(true)
      expect(text.endsWith(after)).toBe(true)
      const shown = text.slice(before.length, text.length - after.length)
      expect(shown).not.toMatch(linkified)
      expect(shown).not.toMatch(/"/)
      expect(unseen(shown)).toBe(false)
    }
  }

  test.each([...hidden, ...links])('%s: %j', (_, name) => expectHarmless(name))
  test.each([...usual, 'javascript:alert(1)', 'mailto:all@evil.example', 'Acme" (closed: call 555) "'])(
    '%s',
    name => expectHarmless(name),
  )

  test('a stored name of any characters is safe in mail', () => {
    const parts = fc.oneof(
      fc.constantFrom(...[...hidden, ...links].map(([, name]) => name), '.', ':', '/', '"', 'a', ' '),
      anyCharacter,
    )
    const name = fc.array(parts, { minLength: 1, maxLength: 20 }).map(all => all.join(''))
    fc.assert(fc.property(name, expectHarmless), { numRuns: sized(500, 20_000) })
  })

  test('the address of the person who invites brings no link, either', () => {
    expect(mailOf('Acme', 'evil.example/x@evil.example').text).not.toContain('evil.example')
    expect(mailOf('Acme', 'ada.b+c@example.com').text).toContain('ada.b+c@example.com')
  })
})

test('an accepted name has no invisible characters, and no scheme', () => {
  const name = fc.array(
    fc.oneof(anyCharacter, fc.constantFrom('.', ':', '/', 'w', 'a'), fc.string({ maxLength: 3 })),
    {
      minLength: 1,
      maxLength: 15,
    },
  )
  const { body } = authTokens.operations.create_workspace
  fc.assert(
    fc.property(name, parts => {
      const sent = parts.join('')
      const success = body.safeParse({ name: sent }).success && !hasWebAddress(sent)
      const name = sent.normalize('NFKC')
      return !(success && (unseen(name) || /:\/\/|(^|\s)www\.\w/iu.test(name)))
    }),
    { numRuns: sized(2000, 50_000) },
  )
})
