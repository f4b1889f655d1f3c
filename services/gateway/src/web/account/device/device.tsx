/** RFC 8628, 3.3: a person enters the code that a device shows, sees who asks, and approves or denies. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { hashCredential } from '@svc/runtime/credential'
import type { FastifyInstance } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { chosenIn } from './device-choices.ts'
import { Confirm, EnterCode, DecisionPage, TooManyCodes } from './device-views.tsx'
import { field, queryOf } from '../../kit/forms/form-fields.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { workspacesOf } from '../../kit/visit/acting.ts'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { signInPath } from '../../kit/visit/return-to.ts'
import { tooMany } from '../../kit/forms/too-many.ts'
import { type VisitDeps, visitOf } from '../../kit/visit/visit.ts'

export function devicePages(app: FastifyInstance, deps: VisitDeps) {
  // The code of verification_uri_complete is filled in, but never submitted by itself (RFC 8628, 5.4).
  app.get('/device', async (request, reply) => {
    const code = shownCode(queryOf(request).get('user_code') ?? '')
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(pathOf(code), 'needed'))
    return sendPage(reply, 200, <EnterCode visit={visit} code={code} />)
  })

  app.post('/device', async (request, reply) => {
    const code = shownCode(field(request, 'user_code'))
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(pathOf(code), 'needed'))
    if (!codeLengths.has(lettersOf(code).length)) {
      const problems = { user_code: 'Enter all letters shown on your device.' }
      return sendPage(reply, 422, <EnterCode visit={visit} code={code} problems={problems} />)
    }
    try {
      const entered = await invoke(deps.call, authTokens, 'enter_user_code', {
        caller: visit.person.caller,
        body: { user_code_hash: hashCredential(lettersOf(code)) },
        ...callContext(request),
      })
      if (entered.outcome === 'found') {
        const workspaces = await workspacesOf(visit.person, request, deps)
        const page = (
          <Confirm
            visit={visit}
            code={code}
            grant={entered.grant}
            workspaces={workspaces}
            now={nowInSeconds()}
          />
        )
        return sendPage(reply, 200, page)
      }
      if (entered.outcome !== 'unknown') {
        return sendPage(
          reply,
          statusOf[entered.outcome],
          <DecisionPage visit={visit} outcome={entered.outcome} />,
        )
      }
      const problems = {
        user_code: 'No device is waiting for this code. Check that it matches the one on your device.',
      }
      return sendPage(reply, 422, <EnterCode visit={visit} code={code} problems={problems} />)
    } catch (error) {
      const wait = tooMany(error, reply)
      if (!wait) throw error
      return sendPage(reply, 429, <TooManyCodes visit={visit} wait={wait} />)
    }
  })

  // After a reload, or opened after signing in.
  app.get('/device/decision', (_request, reply) => goTo(reply, '/device'))

  app.post('/device/decision', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath('/device', 'needed'))
    const { outcome } = await invoke(deps.call, authTokens, 'decide_device_grant', {
      caller: visit.person.caller,
      body: {
        grant_id: field(request, 'grant_id'),
        decision: field(request, 'decision') as 'approved' | 'denied',
        ...chosenIn(name => field(request, name)),
      },
      ...callContext(request),
    })
    const page = (
      <DecisionPage visit={visit} outcome={outcome} client={field(request, 'client').slice(0, 100)} />
    )
    return sendPage(reply, statusOf[outcome], page)
  })
}

const statusOf = {
  approved: 200,
  denied: 200,
  decided: 409,
  expired: 410,
  unknown: 404,
  too_wide: 409,
} as const

const codeLengths: ReadonlySet<number> = new Set([8, 12])

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')

function shownCode(typed: string): string {
  return lettersOf(typed)
    .slice(0, 20)
    .replace(/.{4}(?=.)/g, '$&-')
}

const pathOf = (code: string): string => (code ? `/device?user_code=${code}` : '/device')
