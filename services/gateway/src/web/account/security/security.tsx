/** Passkeys, the authenticator app and recovery codes of the person who is signed in. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Attestation, FactorProof } from '@svc/contract/auth-tokens/factors'
import { browserName } from '@svc/runtime/browser-name'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { callContext } from '../../../edge/forward/call-context.ts'
import { field, queryOf } from '../../kit/forms/form-fields.ts'
import { isRefusedAs } from '../../kit/forms/refused-as.ts'
import { attempt, type Refused } from '../../kit/forms/submitted.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { allowOwnScripts } from '../../kit/page/security-headers.ts'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { signInPath } from '../../kit/visit/return-to.ts'
import { type Person, type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'
import { type Change, changes, paths, ProveFirst } from './changes.tsx'
import { waysOf } from './factors.ts'
import { NewAuthenticator, NewPasskey, RecoveryCodes } from './new-factor.tsx'
import { parsed, proofFields, sentProof } from './proof.tsx'
import { Security } from './security-view.tsx'

interface Asked {
  readonly visit: Visit
  readonly person: Person
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Proof = NonNullable<ReturnType<typeof sentProof>>

export function securityPages(app: FastifyInstance, deps: VisitDeps) {
  const { call } = deps
  const route =
    (answer: (asked: Asked) => Promise<FastifyReply> | FastifyReply) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = await visitOf(request, reply, deps)
      const { person } = visit
      return person
        ? answer({ visit, person, request, reply })
        : goTo(reply, signInPath(paths.security, 'needed'))
    }

  app.get(
    paths.security,
    route(async asked => {
      const { visit, request, reply } = asked
      const notice = queryOf(request).get('notice') ?? ''
      const factors = await listed(asked)
      return sendPage(reply, 200, <Security {...{ visit, factors, notice }} now={nowInSeconds()} />)
    }),
  )

  proven(changes.passkey, async (asked, proof) => {
    const started = await start(asked, 'passkey', proof)
    return started.kind === 'passkey' ? (
      <NewPasskey visit={asked.visit} options={started.options} name={nameOf(asked.request)} />
    ) : undefined
  })
  proven(changes.authenticator, async (asked, proof) => {
    const started = await start(asked, 'totp', proof)
    return started.kind === 'totp' ? <NewAuthenticator visit={asked.visit} totp={started} /> : undefined
  })
  proven(changes.codes, async (asked, proof) => {
    const body = { proof: proof as FactorProof }
    const { recovery_codes } = await invoke(call, authTokens, 'create_recovery_codes', {
      ...callOf(asked),
      body,
    })
    return <RecoveryCodes visit={asked.visit} codes={recovery_codes} />
  })
  proven(changes.remove, async (asked, proof) => {
    const body = { id: field(asked.request, 'id'), proof: proof as FactorProof }
    await invoke(call, authTokens, 'remove_factor', { ...callOf(asked), body })
    return undefined
  })

  app.post(
    paths.addPasskey,
    route(async asked => {
      const { request } = asked
      const body = {
        name: field(request, 'name').trim() || nameOf(request),
        passkey: parsed(field(request, 'passkey')) as Attestation,
      }
      const sent = await attempt([], () =>
        invoke(call, authTokens, 'add_passkey', { ...callOf(asked), body }),
      )
      if ('refused' in sent) return prove(changes.passkey, asked, sent.refused)
      return added(asked, sent.done.recovery_codes)
    }),
  )

  app.post(
    paths.addAuthenticator,
    route(async asked => {
      const { visit, request, reply } = asked
      const [permit = '', sealed = '', secret = '', uri = '', code = ''] = [
        'permit',
        'sealed',
        'secret',
        'uri',
        'code',
      ].map(name => field(request, name))
      const body = { permit, sealed, code: code || ' ' }
      const sent = await attempt([{ name: 'code', label: 'Code' }], () =>
        invoke(call, authTokens, 'add_totp', { ...callOf(asked), body }),
      )
      if ('done' in sent) return added(asked, sent.done.recovery_codes)
      const { problems, status } = sent.refused
      if (!problems.code || !uri.startsWith('otpauth://totp/'))
        return prove(changes.authenticator, asked, sent.refused)
      const totp = { permit, sealed, secret, uri }
      return sendPage(reply, status, <NewAuthenticator {...{ visit, totp, problems }} />)
    }),
  )
  for (const path of [paths.addPasskey, paths.addAuthenticator])
    app.get(path, (_request, reply) => goTo(reply, paths.security))

  /** A change whose form asks for a proof. Without a page it leads back to the list. */
  function proven(change: Change, answer: (asked: Asked, proof: Proof) => Promise<VNode | undefined>) {
    app.get(
      change.path,
      route(asked => prove(change, asked)),
    )
    const act = route(async asked => {
      const { request, reply } = asked
      const proof = sentProof(request)
      const missing = { problems: { '': 'Prove that it’s you.' }, status: 422 }
      if (!proof) return prove(change, asked, missing)
      try {
        const sent = await attempt([...proofFields(undefined), { name: 'code', label: 'Code' }], () =>
          answer(asked, proof),
        )
        if ('refused' in sent) return prove(change, asked, sent.refused)
        if (!sent.done) return goTo(reply, `${paths.security}?notice=${change.notice}`)
        allowOwnScripts(reply)
        return sendPage(reply, 200, sent.done)
      } catch (error) {
        // Added in another window meanwhile.
        if (!isRefusedAs(error, 'factor_required')) throw error
        return goTo(reply, change.path)
      }
    })
    app.post(change.path, act)
  }

  async function prove(change: Change, asked: Asked, refused?: Refused) {
    const { visit, request, reply } = asked
    const factors = await listed(asked)
    const ways = waysOf(factors)
    if (!ways && !change.isFirst) return goTo(reply, paths.security)
    const id = queryOf(request).get('id') || field(request, 'id')
    allowOwnScripts(reply)
    const page = <ProveFirst {...{ visit, change, ways, factors, id }} problems={refused?.problems} />
    return sendPage(reply, refused?.status ?? 200, page)
  }

  function added(asked: Asked, codes: readonly string[] | null) {
    const { visit, reply } = asked
    if (!codes) return goTo(reply, `${paths.security}?notice=added`)
    return sendPage(reply, 200, <RecoveryCodes visit={visit} codes={codes} />)
  }

  const listed = (asked: Asked) => invoke(call, authTokens, 'list_factors', callOf(asked))
  const start = (asked: Asked, kind: 'passkey' | 'totp', proof: Proof) =>
    invoke(call, authTokens, 'start_factor', { ...callOf(asked), body: { kind, proof } })
}

/** A name for the passkey that this browser makes. */
const nameOf = ({ headers }: FastifyRequest): string =>
  browserName(headers['user-agent'] ?? null) ?? 'Passkey'

const callOf = ({ person: { caller }, request }: Asked) => ({ caller, ...callContext(request) })
