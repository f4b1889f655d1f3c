/** A person proves again who they are: RFC 9470, and docs/specification.md, R93. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { codes } from '@svc/contract/core/error-codes'
import { hashCredential } from '@svc/runtime/credential'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { field, queryOf, replaceFields, sentFields } from '../../kit/forms/form-fields.ts'
import { attempt, type Refused } from '../../kit/forms/submitted.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { allowOwnScripts } from '../../kit/page/security-headers.ts'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { returnTo, signInPath } from '../../kit/visit/return-to.ts'
import { type Person, type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'
import { waysOf } from '../security/factors.ts'
import { proofFields, sentProof } from '../security/proof.tsx'
import { Confirm, ConfirmOutcome } from './confirm-view.tsx'

const path = '/confirm'

export function confirmPages(app: FastifyInstance, deps: VisitDeps) {
  // A form that was refused comes once more, kept in the one that confirms.
  app.addHook('preHandler', async (request, reply) => {
    const kept = request.method === 'POST' ? field(request, 'kept') : ''
    if (!kept) return
    const { person } = await visitOf(request, reply, deps)
    const refused = person && (await prove(person, request, deps))
    if (refused) return askToConfirm(request, reply, deps, { kept, refused })
    replaceFields(request, kept)
  })

  app.get(path, async (request, reply) => {
    const query = queryOf(request)
    return show(request, reply, { code: query.get('code') ?? '', return_to: query.get('return_to') ?? '' })
  })

  app.post(path, async (request, reply) => {
    const { person } = await visitOf(request, reply, deps)
    const asked = { code: field(request, 'waiting'), return_to: field(request, 'return_to') }
    if (!person) return show(request, reply, asked)
    const refused = await prove(person, request, deps, asked.code)
    if (refused && refused.code !== codes.confirmation_closed[0]) return show(request, reply, asked, refused)
    if (!asked.code) return goTo(reply, returnTo(asked.return_to))
    return showOutcome(request, reply, !refused)
  })

  async function show(request: FastifyRequest, reply: FastifyReply, asked: Asked, refused?: Refused) {
    const { code } = asked
    const return_to = returnTo(asked.return_to)
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(pathOf(asked), 'needed'))
    const { problems, status = 200 } = refused ?? {}
    const common = { visit, problems, action: path, ways: await waysNow(visit.person, request, deps) }
    allowOwnScripts(reply)
    if (!code)
      return sendPage(reply, status, <Confirm {...common} cancel={return_to} hidden={{ return_to }} />)
    const { session } = await invoke(deps.call, authTokens, 'find_confirmation', {
      caller: visit.person.caller,
      body: { code_hash: hashOf(code) },
      ...callContext(request),
    })
    if (!session) return showOutcome(request, reply, false)
    const waiting = { code, session, now: nowInSeconds() }
    const page = <Confirm {...common} cancel="/sessions" hidden={{ waiting: code }} waiting={waiting} />
    return sendPage(reply, status, page)
  }

  async function showOutcome(request: FastifyRequest, reply: FastifyReply, isConfirmed: boolean) {
    const visit = await visitOf(request, reply, deps)
    return sendPage(
      reply,
      isConfirmed ? 200 : 410,
      <ConfirmOutcome visit={visit} isConfirmed={isConfirmed} />,
    )
  }
}

interface Asked {
  readonly code: string
  readonly return_to: string
}

/** In place of the answer to a form, which is kept in the page. */
export async function askToConfirm(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: VisitDeps,
  again?: { readonly kept: string; readonly refused: Refused },
): Promise<FastifyReply> {
  const visit: Visit = await visitOf(request, reply, deps)
  const action = returnTo(request.url)
  if (!visit.person) return goTo(reply, signInPath(action, 'needed'))
  const ways = await waysNow(visit.person, request, deps)
  const kept = again?.kept ?? `${new URLSearchParams(sentFields(request))}`
  const { problems, status = 401 } = again?.refused ?? {}
  allowOwnScripts(reply)
  return sendPage(
    reply,
    status,
    <Confirm {...{ visit, action, ways, problems }} cancel={action} hidden={{ kept }} />,
  )
}

async function prove(person: Person, request: FastifyRequest, deps: VisitDeps, code?: string) {
  const proof = sentProof(request)
  if (!proof) return { problems: { '': 'Confirm that it’s you.' }, status: 422 }
  const fields = proofFields('password' in proof ? undefined : { options: null, has_totp: true })
  const sent = await attempt(fields, () =>
    invoke(deps.call, authTokens, 'confirm_session', {
      caller: person.caller,
      body: { proof, ...(code && { code_hash: hashOf(code) }) },
      ...callContext(request),
    }),
  )
  return 'refused' in sent ? sent.refused : undefined
}

const waysNow = async ({ caller }: Person, request: FastifyRequest, { call }: VisitDeps) =>
  waysOf(await invoke(call, authTokens, 'list_factors', { caller, ...callContext(request) }))

const hashOf = (code: string) => hashCredential(code.toUpperCase().replace(/[^A-Z]/g, ''))
const pathOf = ({ code, return_to }: Asked) =>
  `${path}?${new URLSearchParams(code ? { code } : { return_to: returnTo(return_to) })}`
