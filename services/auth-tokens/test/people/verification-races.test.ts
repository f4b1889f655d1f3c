/** A new password, and sessions opened at the same time. */
import { password } from '@svc/testing/password'
import { forFile } from '@svc/testing/for-file'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../people-scene.ts'
import { internal, shareService } from '../running-service.ts'
import { createLinks, origin } from './links-scene.ts'

const service = forFile(shareService)
const links = createLinks(service)

describe('while a session is being opened', () => {
  // The insert of a session with this user agent waits for a lock that the test holds.
  const slow = { ...origin, user_agent: 'slow' }
  beforeAll(() =>
    service.sql.unsafe(`
      create function auth_tokens.wait_if_slow() returns trigger language plpgsql as $$
      begin
        if new.user_agent = 'slow' then perform pg_advisory_xact_lock(4242); end if;
        return new;
      end $$;
      create trigger slow before insert on auth_tokens.sessions for each row execute function auth_tokens.wait_if_slow()
    `),
  )
  afterAll(() => service.sql.unsafe('drop function auth_tokens.wait_if_slow cascade'))

  const waiting = (count: number) => async () => {
    const rows = await service.sql`select from pg_stat_activity where datname = current_database()
      and application_name = 'svc' and wait_event_type = 'Lock'`
    return rows.length >= count
  }

  test.each<[string, (email: string) => Promise<() => Promise<unknown>>]>([
    [
      'with the old password',
      async email => {
        await links.complete(await links.newLink(email))
        return async () => {
          const body = { email, password, origin: slow }
          return (await service.ask('sign_in', internal(), { body })).body.token
        }
      },
    ],
    [
      'by a device grant',
      async email => {
        const { poll } = await links.approvedGrant(email)
        return async () => (await poll(slow)).body.session_token
      },
    ],
  ])('%s, a new password waits for it and ends it', async (_, prepare) => {
    const email = newAddress()
    const open = await prepare(email)
    const link = await links.newLink(email)
    const holder = await service.sql.reserve()
    try {
      await holder`select pg_advisory_lock(4242)`
      const opening = open()
      await waitUntil('the insert', waiting(1))
      let answered = false
      const completing = links.complete(link, 'another long password').finally(() => {
        answered = true
      })
      await waitUntil('the completion', async () => answered || (await waiting(2)()))
      await holder`select pg_advisory_unlock(4242)`
      const token = await opening
      expect(token).toMatch(/^[0-9A-Za-z]{32}$/)
      const { body } = await completing
      expect(await links.userOf(token)).toBeUndefined()
      expect(await links.userOf(body.token)).toMatch(/^user_/)
    } finally {
      holder.release()
    }
  })
})
