import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refuseStale } from '@svc/contract/core/refuse-caller'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { queryOf } from '../../kit/forms/form-fields.ts'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { signInPath } from '../../kit/visit/return-to.ts'
import { dropSession } from '../../kit/visit/session-cookie.ts'
import { type Person, type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'
import { Account, type AccountProps, DeleteAccount } from './account-view.tsx'
import { deleteFields, nameFields, passwordFields } from './fields.ts'

const path = '/account'
const deletePath = '/account/delete'

interface Asked {
  readonly visit: Visit
  readonly person: Person
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export function accountPages(app: FastifyInstance, deps: VisitDeps) {
  const { call } = deps
  const route =
    (answer: (asked: Asked) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = await visitOf(request, reply, deps)
      const { person } = visit
      return person ? answer({ visit, person, request, reply }) : goTo(reply, signInPath(path, 'needed'))
    }

  app.get(
    path,
    route(asked => show(asked, { notice: queryOf(asked.request).get('notice') ?? '' })),
  )

  const setName = route(async asked => {
    const values = valuesOf(asked)
    const sent = await send(nameFields, values, body =>
      invoke(call, authTokens, 'update_user', { ...callOf(asked), body }),
    )
    if ('done' in sent) return goTo(asked.reply, `${path}?notice=saved`)
    return show(asked, { values, problems: sent.refused.problems }, sent.refused.status)
  })
  app.post(path, setName)

  app.get('/account/password', (_request, reply) => goTo(reply, path))

  const setPassword = route(async asked => {
    const sent = await send(passwordFields, valuesOf(asked), body =>
      invoke(call, authTokens, 'set_password', { ...callOf(asked), body }),
    )
    if ('done' in sent) return goTo(asked.reply, `${path}?notice=password`)
    return show(asked, { problems: sent.refused.problems }, sent.refused.status)
  })
  app.post('/account/password', setPassword)

  /** They confirm before the form: it has a password, which no page keeps. */
  const confirmed = (answer: (asked: Asked) => Promise<FastifyReply>) =>
    route(async asked =>
      refuseStale(asked.person.caller, nowInSeconds())
        ? goTo(asked.reply, `/confirm?${new URLSearchParams({ return_to: deletePath })}`)
        : answer(asked),
    )

  app.get(
    deletePath,
    confirmed(async ({ visit, reply }) => sendPage(reply, 200, <DeleteAccount visit={visit} />)),
  )

  const deleteAccount = confirmed(async asked => {
    const sent = await send(deleteFields, valuesOf(asked), body =>
      invoke(call, authTokens, 'delete_user', { ...callOf(asked), body }),
    )
    const { visit, reply } = asked
    if ('refused' in sent) {
      const { problems, status } = sent.refused
      return sendPage(reply, status, <DeleteAccount visit={visit} problems={problems} />)
    }
    dropSession(reply)
    return goTo(reply, signInPath('/', 'deleted'))
  })
  app.post(deletePath, deleteAccount)

  async function show(
    asked: Asked,
    shown: Pick<AccountProps, 'notice' | 'values' | 'problems'>,
    status = 200,
  ) {
    const user = await invoke(call, authTokens, 'get_user', callOf(asked))
    return sendPage(asked.reply, status, <Account visit={asked.visit} user={user} {...shown} />)
  }
}

const callOf = ({ person: { caller }, request }: Asked) => ({ caller, ...callContext(request) })
