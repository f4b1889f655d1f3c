/** Every page in every state that a person can see it in. */
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import type { Permission } from '@svc/contract/core/permissions'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { newId } from '@svc/runtime/id'
import { codeOf } from '@svc/testing/authenticator'
import { createSeal } from '@svc/runtime/seal'
import { type PageScene, type Person, enterCode, press, signIn, wrongCodes } from './page-scene.ts'
import type { Tab } from './tab.ts'

export interface Shown {
  readonly name: string
  readonly title: string
  /** Opens the page in a browser in which nobody is signed in. */
  show(page: Tab, scene: PageScene): Promise<unknown>
}

const longName = 'Continuous integration of the very-long-repository-name-that-does-not-break-anywhere team'
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

async function signedIn(page: Tab, scene: PageScene, path = '/device') {
  const person = await scene.newPerson()
  await scene.admit(page.context(), person)
  await page.goto(scene.urls[0] + path)
  return person
}

async function confirm(page: Tab, scene: PageScene, name = 'svc command line') {
  const client_id = `client-${hashCredential(name).slice(0, 8)}`
  await scene.stack.sql`
    insert into auth_tokens.oauth_clients (id, name) values (${client_id}, ${name}) on conflict do nothing`
  const grant = await scene.startGrant({ client_id })
  await signedIn(page, scene)
  await enterCode(page, scene.urls[0], grant.user_code)
  return grant
}

async function startFactor(page: Tab, scene: PageScene, what: string) {
  const { password } = await signedIn(page, scene, `/security/${what}/new`)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Continue')
}

async function toFactor(page: Tab, scene: PageScene) {
  const person = await scene.newPerson()
  await addFactors(scene, person)
  await page.goto(`${scene.urls[0]}/sign-in`)
  await signIn(page, person)
}

/** As if the person had added them; nobody has their keys. */
async function addFactors({ stack: { sql, stack } }: PageScene, { id }: Pick<Person, 'id'>) {
  for (const name of [longName, 'iPhone'])
    await sql`
      insert into auth_tokens.passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
      values (${newId('pk')}, ${id}, ${createSessionToken()}, '', 0, '{internal}', ${name}, now())`
  const { seal } = createSeal(stack.secrets.sealing['auth-tokens'])
  await sql`
    insert into auth_tokens.totp_factors (user_id, sealed, last_step, created_at)
    values (${id}, ${seal('GEZDGNBVGY3TQOJQ', `totp_factors ${id}`)}, 0, now())`
  await sql`
    insert into auth_tokens.recovery_codes (user_id, hash)
    select ${id}, sha256(n::text::bytea) from generate_series(1, 3) n`
}

const at =
  (path: string) =>
  (page: Tab, { urls }: PageScene) =>
    page.goto(urls[0] + path)

const state = (name: string, title: string, show: Shown['show']): Shown => ({ name, title, show })

export const everyPage: readonly Shown[] = [
  state('sign-in', 'Sign in', at('/sign-in')),
  state('sign-in-notice', 'Sign in', at('/sign-in?notice=ended&return_to=/device')),
  state('sign-in-wrong', 'Error: Sign in', async (page, scene) => {
    await page.goto(`${scene.urls[0]}/sign-in`)
    await signIn(page, { email: 'ada@people.example', password: 'wrong' })
  }),
  state('sign-in-empty', 'Error: Sign in', async (page, scene) => {
    await page.goto(`${scene.urls[0]}/sign-in`)
    await signIn(page, { email: 'not an address', password: '' })
  }),
  state('sign-up', 'Create an account', at('/sign-up')),
  state('forgot-password', 'Set a new password', at('/forgot-password')),
  state('device', 'Connect a device', (page, scene) => signedIn(page, scene)),
  state('device-wrong', 'Error: Connect a device', async (page, scene) => {
    await signedIn(page, scene)
    await enterCode(page, scene.urls[0], wrongCodes[0])
  }),
  state('device-too-many', 'Error: Too many wrong codes', async (page, scene) => {
    await signedIn(page, scene)
    for (const code of [...wrongCodes, 'HHHH-HHHH']) await enterCode(page, scene.urls[0], code)
  }),
  state('confirm', 'Allow this device?', confirm),
  state('confirm-long', 'Allow this device?', (page, scene) => confirm(page, scene, longName)),
  state('confirm-asked', 'Allow this device?', async (page, scene) => {
    const { id } = await signedIn(page, scene)
    const workspace_id = await insertWorkspace(scene.stack.sql, 'Acme')
    await insertMember(scene.stack.sql, { workspace: workspace_id, user: id, role: 'owner' })
    const asked = {
      permissions: ['offers:read', 'offers:write', 'orders:decide'] as Permission[],
      workspace_id,
    }
    const { user_code } = await scene.startGrant({ asked: { ...asked, expires_in: 28_800 } })
    await enterCode(page, scene.urls[0], user_code)
  }),
  state('not-approved', 'Not approved', async (page, scene) => {
    await signedIn(page, scene)
    const { user_code } = await scene.startGrant({ asked: { workspace_id: newId('ws') } })
    await enterCode(page, scene.urls[0], user_code)
    await press(page, 'Approve')
  }),
  state('approved', 'Device approved', async (page, scene) => {
    await confirm(page, scene)
    await press(page, 'Approve')
  }),
  state('denied', 'Request denied', async (page, scene) => {
    await confirm(page, scene)
    await press(page, 'Deny')
  }),
  state('decided', 'Already decided', async (page, scene) => {
    const { user_code } = await confirm(page, scene)
    await press(page, 'Deny')
    await enterCode(page, scene.urls[0], user_code)
  }),
  state('expired', 'This code has expired', async (page, scene) => {
    const { device_code } = await confirm(page, scene)
    await scene.stack.sql`
        update auth_tokens.device_grants set expires_at = now() - interval '1 second'
        where device_code_hash = decode(${hashCredential(device_code)}, 'hex')`
    await press(page, 'Approve')
  }),
  state('prove', 'Confirm it’s you', (page, scene) => signedIn(page, scene, '/confirm')),
  state('prove-wrong', 'Error: Confirm it’s you', async (page, scene) => {
    await signedIn(page, scene, '/confirm')
    await page.getByLabel('Password').fill('wrong')
    await press(page, 'Confirm')
  }),
  state('prove-session', 'Confirm this session?', async (page, scene) => {
    const person = await signedIn(page, scene)
    await scene.stack.sql`
      update auth_tokens.sessions set user_agent = 'svc-cli/1.4.0 (linux)', address = '203.0.113.7',
        confirmation_hash = decode(${hashCredential('BCDFGHJK')}, 'hex'), confirmation_expires_at = now() + interval '5 minutes'
      where user_id = ${person.id}`
    await page.goto(`${scene.urls[0]}/confirm?code=BCDF-GHJK`)
  }),
  state('prove-session-over', 'This code is no longer valid', (page, scene) =>
    signedIn(page, scene, '/confirm?code=BCDF-GHJK'),
  ),
  state('account', 'Account', (page, scene) => signedIn(page, scene, '/account?notice=saved')),
  state('account-wrong', 'Error: Account', async (page, scene) => {
    await signedIn(page, scene, '/account')
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill('short')
    await press(page, 'Change password')
  }),
  state('account-delete', 'Delete your account?', (page, scene) => signedIn(page, scene, '/account/delete')),
  state('account-delete-wrong', 'Error: Delete your account?', async (page, scene) => {
    await signedIn(page, scene, '/account/delete')
    await page.getByLabel('Password').fill('wrong')
    await press(page, 'Delete account')
  }),
  state('security-none', 'Passkeys and second factor', (page, scene) => signedIn(page, scene, '/security')),
  state('security', 'Passkeys and second factor', async (page, scene) => {
    await addFactors(scene, await signedIn(page, scene))
    await page.goto(`${scene.urls[0]}/security?notice=added`)
  }),
  state('security-remove', 'Remove this factor?', async (page, scene) => {
    await addFactors(scene, await signedIn(page, scene))
    await page.goto(`${scene.urls[0]}/security/remove?id=totp`)
  }),
  state('security-passkey', 'Add a passkey', (page, scene) => startFactor(page, scene, 'passkeys')),
  state('security-app', 'Set up an authenticator app', (page, scene) =>
    startFactor(page, scene, 'authenticator'),
  ),
  state('security-app-wrong', 'Error: Set up an authenticator app', async (page, scene) => {
    await startFactor(page, scene, 'authenticator')
    await page.getByLabel('Code').fill('000')
    await press(page, 'Confirm')
  }),
  state('recovery-codes', 'Your recovery codes', async (page, scene) => {
    await startFactor(page, scene, 'authenticator')
    const secret = await page.locator('.copied code').innerText()
    await page.getByLabel('Code').fill(codeOf(secret.replaceAll(' ', '')))
    await press(page, 'Confirm')
  }),
  state('sign-in-passkey', 'Sign in with a passkey', at('/sign-in/passkey')),
  state('sign-in-factor', 'Confirm it’s you', toFactor),
  state('sign-in-factor-wrong', 'Error: Confirm it’s you', async (page, scene) => {
    await toFactor(page, scene)
    await page.getByLabel('Code').fill('wrong')
    await press(page, 'Sign in')
  }),
  state('sessions', 'Your sessions', async (page, scene) => {
    const person = await signedIn(page, scene)
    await addSessions(scene, person.id, 30)
    await page.goto(`${scene.urls[0]}/sessions?notice=ended`)
  }),
  state('sessions-end-others', 'Sign out all other sessions?', (page, scene) =>
    signedIn(page, scene, '/sessions/end-others'),
  ),
  state('emails', 'Email preferences', async (page, scene) => {
    const person = await signedIn(page, scene)
    await joinBoth(person, scene)
    await page.goto(`${scene.urls[0]}/mail?notice=saved`)
  }),
  state('emails-none', 'Email preferences', (page, scene) => signedIn(page, scene, '/mail')),
  state('stop-emails', 'Unsubscribe', async (page, scene) => page.goto(await stopLink(scene))),
  state('emails-stopped', 'You’ve been unsubscribed', async (page, scene) => {
    await page.goto(await stopLink(scene))
    await press(page, 'Unsubscribe')
  }),
  state('stop-emails-invalid', 'This link is not valid', at('/mail/unsubscribe?token=unknown')),
  state('invitations', 'Your invitations', async (page, scene) => {
    const person = await signedIn(page, scene)
    await addInvitations(scene, person, [longName, 'Victim Inc.', 'Acme'])
    await page.goto(`${scene.urls[0]}/invitations?notice=declined`)
  }),
  state('invitations-none', 'Your invitations', (page, scene) => signedIn(page, scene, '/invitations')),
  state('out-of-date', 'This page is out of date', async (page, scene) => {
    await page.goto(`${scene.urls[0]}/sign-in`)
    await page.context().clearCookies()
    await signIn(page, { email: 'ada@people.example', password: 'password' })
  }),
  state('unknown', 'Page not found', at('/sign-in/')),
  state('not-understood', 'Something’s wrong with this link', async (page, scene) => {
    await signedIn(page, scene)
    await page.goto(`${scene.urls[0]}/sessions?cursor=%21`)
  }),
]

/** The pages of signing up. */
export const mailPages: readonly Shown[] = [
  state('sent', 'Check your inbox', async (page, { urls }) => {
    await page.goto(`${urls[0]}/sign-up`)
    await page.getByLabel('Email address').fill(`${newId('user')}@people.example`)
    await press(page, 'Email me a link')
  }),
  state('choose-password', 'Choose a password', openLink),
  state('choose-password-short', 'Error: Choose a password', async (page, scene) => {
    await openLink(page, scene)
    await page.getByLabel('New password').fill('short')
    await press(page, 'Save and sign in')
  }),
  state('link-invalid', 'This link is no longer valid', at('/verify?token=unknown')),
]

async function openLink(page: Tab, { urls, stack: { sql } }: PageScene) {
  const token = createSessionToken()
  await sql`
    insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    values (decode(${hashCredential(token)}, 'hex'), 'ada@people.example', now(), now() + interval '1 hour')`
  await page.goto(`${urls[0]}/verify?token=${token}`)
}

/** Makes the person a member of both workspaces of the demo. */
async function joinBoth({ id }: Person, { stack: { sql, dev } }: PageScene) {
  for (const workspace of [dev.workspace_id, dev.other_workspace_id])
    await sql`insert into auth_tokens.memberships (user_id, workspace_id, role) values (${id}, ${workspace}, 'member')`
}

/** As a mail to a member of the demo's workspace has it. */
export async function stopLink(scene: PageScene, person?: Person): Promise<string> {
  const member = person ?? (await scene.newPerson())
  const { stack, dev } = scene.stack
  if (!person) await joinBoth(member, scene)
  const seal = createSeal(stack.secrets.sealing['auth-tokens'])
  const token = seal.seal(`${member.id} ${dev.workspace_id} order_received`, 'unsubscribe')
  return `${scene.urls[0]}/mail/unsubscribe?token=${token}`
}

/** Invitations of a person to workspaces with these names, by the demo's owner; the last one by someone else. */
async function addInvitations({ stack: { sql, dev } }: PageScene, { id, email }: Person, names: string[]) {
  await sql`update auth_tokens.users set verified_at = now() where id = ${id}`
  for (const name of names) {
    const workspace = newId('ws')
    await sql`insert into auth_tokens.workspaces (id, name) values (${workspace}, ${name})`
    await sql`
      insert into auth_tokens.memberships (user_id, workspace_id, role)
      select id, ${workspace}, 'owner' from auth_tokens.users where email = ${dev.owner.email}`
    await sql`
      insert into auth_tokens.invitations (id, workspace_id, email, role, invited_by, created_at, expires_at)
      select ${newId('inv')}, ${workspace}, ${email}, 'member', id, now() - interval '3 hours', now() + interval '6 days'
      from auth_tokens.users where email = ${name === 'Acme' ? dev.admin.email : dev.owner.email}`
  }
}

/** A person's sessions that are older than the current one: of a program, of browsers, and one without details. */
async function addSessions({ stack: { sql } }: PageScene, user: string, count: number) {
  await sql`
    insert into auth_tokens.sessions (id, user_id, hash, client_id, address, user_agent, created_at, last_used_at, expires_at)
    select replace(left(${user}, 25), 'user_', 'sess_') || lpad(n::text, 6, '0'), ${user}, sha256((${user} || n)::bytea),
      case when n % 3 = 0 then 'svc-cli' end,
      case when n % 3 <> 2 then '2001:db8:85a3:8d3:1319:8a2e:370:' || n end,
      case n % 3 when 0 then 'svc-cli/1.4.0 (linux; x64) node/22.11.0' when 1 then ${userAgent} end,
      now() - interval '9 days', case when n % 2 = 0 then now() - interval '5 hours' end, now() + interval '20 days'
    from generate_series(1, ${count}::int) n`
}
