/** Refusals and faults, as people read them. */
import type { EnvelopeTag } from '@svc/contract/error-codes'
import { type ApiError, refusal } from '@svc/contract/errors'
import type { Log } from '@svc/runtime/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { refusalOf } from '../refusals.ts'
import { ForgedForm } from './forgery.ts'
import { goTo, Page, sendPage } from './layout.tsx'
import { home, returnTo, signInPath } from './return-to.ts'
import { dropSession } from './session-cookie.ts'

/** An order was to be made, and a service did not answer: steps before that may have been done. */
export class OrderUnknown extends Error {
  readonly refused: ApiError
  constructor(refused: ApiError) {
    super(refused.message, { cause: refused })
    this.refused = refused
  }
}

export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, log: Log) {
  const isOrder = thrown instanceof OrderUnknown
  const error = isOrder ? thrown.refused : thrown
  if (isForged(error)) return sendPage(reply, 403, <OutOfDate path={pageBehind(request)} />)
  const refused = refusalOf(error)
  if (!refused) log.error({ err: error, request_id: request.id }, 'request failed')
  const { tag, status, headers } = refused ?? refusal('internal')
  if (tag === 'Unauthorized') {
    dropSession(reply)
    return goTo(reply, signInPath(pageBehind(request), 'ended'))
  }
  const wait = headers['Retry-After']
  if (wait) reply.header('retry-after', wait)
  if (isOrder) {
    return sendPage(reply, status, <OrderUnknownPage path={pageBehind(request)} requestId={request.id} />)
  }
  const instead = insteadOf(refused, request)
  return sendPage(reply, status, <ErrorPage refused={refused} requestId={request.id} instead={instead} />)
}

function insteadOf(refused: ApiError | undefined, { method }: FastifyRequest) {
  if (refused?.reason === 'unknown_route') return unknownPage
  return method !== 'POST' && refused?.tag === 'Unavailable' ? notLoaded : undefined
}

function isForged(error: unknown): boolean {
  const { code } = error as { code?: string }
  return error instanceof ForgedForm || (code?.startsWith('FST_CSRF_') ?? false)
}

/** The page on which the form of a request stands. */
function pageBehind({ routeOptions, url }: FastifyRequest): string {
  const [, first, second] = (routeOptions.url ?? home).split('/')
  // Of an offer or an order: what is done with it has an address below.
  if (second?.startsWith(':')) return returnTo(/^\/[^/]+\/[^/?]*/.exec(url)?.[0])
  return first === 'sign-out' ? home : `/${first}`
}

function OutOfDate({ path }: { readonly path: string }) {
  return (
    <Page title="This page is out of date">
      <h1>This page is out of date</h1>
      <p>
        Nothing was done. The form was opened before you signed in or out, your browser does not keep cookies
        for this site, or the form is on a page that is not ours.
      </p>
      <p class="actions">
        <a class="button" href={path}>
          Open the page again
        </a>
      </p>
    </Page>
  )
}

const malformed = {
  title: 'This cannot be understood',
  text: 'Nothing was done. The address or the form is incomplete, or was changed on its way.',
}

const unavailable = {
  title: 'Not available right now',
  text: 'Nothing was done. Wait a few seconds, then load the page again.',
}

/** What was done before, with the form that led here, stays done. */
const notLoaded = { ...unavailable, text: 'Wait a few seconds, then load the page again.' }

const unknownPage = {
  title: 'Page not found',
  text: (
    <>
      There is no page at this address. Compare it with the one that you were given, letter by letter, or
      begin at the first page or in the <a href="/docs">documentation</a>.
    </>
  ),
}

const texts: Partial<Record<EnvelopeTag, { title: string; text: ComponentChildren }>> = {
  NotFound: {
    title: 'Not found',
    text: 'It does not exist, or not any more. Compare the address with the one that you were given.',
  },
  Forbidden: { title: 'Not allowed', text: 'You may not do this.' },
  RateLimited: { title: 'Too many attempts', text: '' },
  PayloadTooLarge: { title: 'Too much text', text: 'The form holds more than this page takes.' },
  Unavailable: unavailable,
  Timeout: {
    title: 'No answer in time',
    text: 'Whether it was done is not known. Open the page anew and look before you repeat it.',
  },
  Internal: {
    title: 'Something went wrong on our side',
    text: 'Try again. If it happens once more, tell us the number below.',
  },
}

interface ErrorPageProps {
  readonly refused: ApiError | undefined
  readonly requestId: string
  readonly instead?: { title: string; text: ComponentChildren } | undefined
}

function ErrorPage({ refused, requestId, instead }: ErrorPageProps) {
  const known = instead ?? texts[(refused?.tag ?? 'Internal') as EnvelopeTag]
  const { title, text } = known ?? malformed
  return (
    <Page title={title}>
      <h1>{title}</h1>
      <p>{text || refused?.message}</p>
      <p class="hint">
        Request <code class="long">{requestId}</code>
      </p>
      <p class="actions">
        <a class="button" href="/">
          To the first page
        </a>
      </p>
    </Page>
  )
}

function OrderUnknownPage({ path, requestId }: { readonly path: string; readonly requestId: string }) {
  return (
    <Page title="No answer in time">
      <h1>No answer in time</h1>
      <p>
        Whether your order was begun is not known. If you named a new workspace, it may have been made
        already. Wait a few seconds, then open the offer again: it shows your order if there is one, and an
        order that is under way is not made twice.
      </p>
      <p class="hint">
        Request <code class="long">{requestId}</code>
      </p>
      <p class="actions">
        <a class="button" href={path}>
          Open the offer again
        </a>
      </p>
    </Page>
  )
}
