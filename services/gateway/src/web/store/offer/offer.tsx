import { ApiError } from '@svc/contract/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isWaiting } from '../../kit/orders/progress.tsx'
import { workspacesOf } from '../../kit/visit/acting.ts'
import { OrderUnknown } from '../../kit/page/error-page.tsx'
import { field } from '../../kit/forms/form-fields.ts'
import { goTo, sendPage } from '../../kit/page/layout.tsx'
import { nowInSeconds } from '../../kit/ui/moments.ts'
import { ClosedOffer, NotForYou, SignInFirst } from './closed-offer.tsx'
import { OfferPage } from './offer-view.tsx'
import { clustersOf, noClusters } from '../../kit/visit/own-clusters.ts'
import { placeOrder, type Refused, sentValues } from './place-order.ts'
import { isRefusedAs, isUnanswered } from '../../kit/forms/refused-as.ts'
import { type OwnOrder, ownOrder, providerOf, resolveOffer } from './resolve-offer.ts'
import { preselected } from './workspace-field.tsx'
import { signInPath } from '../../kit/visit/return-to.ts'
import { allowOwnScripts } from '../../kit/page/security-headers.ts'
import { type Visit, type VisitDeps, visitOf } from '../../kit/visit/visit.ts'

interface OfferRoute {
  Params: { short_hash: string }
}

/** Bytes of a form, in which values of the API's maximum size grow. */
const bodyLimit = 384 * 1024

export function offerPages(app: FastifyInstance, deps: VisitDeps) {
  app.get<OfferRoute>('/i/:short_hash', async (request, reply) => {
    const visit = await visitOf(request, reply, deps)
    return showOffer(request.params.short_hash, visit, request, reply)
  })

  app.post<OfferRoute>('/i/:short_hash', { bodyLimit }, async (request, reply) => {
    const { short_hash } = request.params
    const visit = await visitOf(request, reply, deps)
    if (!visit.person) return goTo(reply, signInPath(`/i/${short_hash}`, 'needed'))
    try {
      const placed = await placeOrder(short_hash, visit.person, request, deps)
      if ('order' in placed) return goTo(reply, `/orders/${placed.order}`)
      return showOffer(short_hash, visit, request, reply, placed)
    } catch (error) {
      if (isUnanswered(error)) throw new OrderUnknown(error as ApiError)
      // The page shows its current state.
      if (!(error instanceof ApiError && isRefusedAs(error, ...closedBy))) throw error
      return showOffer(short_hash, visit, request, reply, { form: { '': error.message }, fields: [] })
    }
  })

  async function showOffer(
    hash: string,
    visit: Visit,
    request: FastifyRequest,
    reply: FastifyReply,
    refused?: Refused,
  ) {
    const { name, summary, offer } = await resolveOffer(hash, visit, request, deps)
    const { person } = visit
    const common = { visit, hash, name }
    if (!person) {
      // Signing in would change nothing.
      if (summary && summary.state !== 'active') return showClosed(summary.state, summary, undefined)
      return sendPage(reply, 200, <SignInFirst {...common} summary={summary} now={nowInSeconds()} />)
    }
    if (!offer) return sendPage(reply, 403, <NotForYou {...common} />)
    const [workspaces, order, provider] = await Promise.all([
      workspacesOf(person, request, deps),
      ownOrder(hash, person, request, deps),
      providerOf(offer, person, request, deps),
    ])
    if (offer.state !== 'active' || !(offer.seat_available || order?.state === 'open')) {
      return showClosed(offer.state === 'active' ? 'held' : offer.state, offer, order)
    }
    const workspace = field(request, 'workspace')
    const clusters =
      order && isWaiting(order.state)
        ? noClusters
        : await clustersOf(workspaces, preselected({ workspaces, workspace, order }), request, deps)
    allowOwnScripts(reply)
    const page = (
      <OfferPage
        {...common}
        offer={offer}
        summary={summary}
        order={order}
        provider={provider}
        workspaces={workspaces}
        workspace={workspace}
        workspaceName={field(request, 'workspace_name')}
        cluster={field(request, 'cluster')}
        clusters={clusters}
        sent={refused && sentValues(request)}
        form={refused?.form ?? {}}
        fields={refused?.fields ?? []}
        orderedMeanwhile={refused?.orderedMeanwhile}
        now={nowInSeconds()}
      />
    )
    return sendPage(reply, refused?.orderedMeanwhile ? 409 : refused ? 422 : 200, page)

    function showClosed(
      state: keyof typeof statusOf,
      { expires_at }: { readonly expires_at: number | null },
      order: OwnOrder | undefined,
    ) {
      const page = (
        <ClosedOffer
          {...common}
          state={state}
          expires_at={expires_at}
          order={order}
          seller={summary?.seller}
        />
      )
      return sendPage(reply, statusOf[state], page)
    }
  }
}

const closedBy = [
  'not_entitled',
  'offer_revoked',
  'offer_expired',
  'offer_exhausted',
  'no_seat',
  'order_under_way',
] as const

const statusOf = { held: 409, exhausted: 410, expired: 410, revoked: 410 } as const
