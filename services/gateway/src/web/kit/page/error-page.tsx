import { type ApiError, refusal } from '@svc/contract/core/errors'
import type { Log } from '@svc/runtime/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusalOf } from '../../../edge/http/refusals.ts'
import { errorText } from './error-text.tsx'
import { ForgedForm } from '../forms/forgery.ts'
import { goTo, Page, sendPage } from './layout.tsx'
import { home, returnTo, signInPath } from '../visit/return-to.ts'
import { dropSession, mayBeSignedIn } from '../visit/session-cookie.ts'

/** An order was being placed and a service did not answer: earlier steps may have been executed. */
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
  if (isForged(error)) return sendPage(reply, 403, <OutOfDate path={pageBehind(request)} request={request} />)
  const refused = refusalOf(error)
  if (!refused) log.error({ err: error, request_id: request.id }, 'request failed')
  const { tag, status, headers } = refused ?? refusal('internal')
  if (tag === 'Unauthorized') {
    dropSession(reply)
    return goTo(reply, signInPath(pageBehind(request), 'ended'))
  }
  const wait = headers['Retry-After']
  if (wait) reply.header('retry-after', wait)
  if (headers.Allow) reply.header('allow', headers.Allow)
  if (isOrder) {
    return sendPage(reply, status, <OrderUnknownPage path={pageBehind(request)} request={request} />)
  }
  return sendPage(reply, status, <ErrorPage refused={refused} request={request} />)
}

function isForged(error: unknown): boolean {
  const { code } = error as { code?: string }
  return error instanceof ForgedForm || (code?.startsWith('FST_CSRF_') ?? false)
}

function pageBehind({ routeOptions, url }: FastifyRequest): string {
  const [, first, second] = (routeOptions.url ?? home).split('/')
  // Each form of the console has a page at its URL, or leads to the page above.
  if (first === 'console') return returnTo(url)
  // Actions on an offer or an order have URLs below its own.
  if (second?.startsWith(':')) return returnTo(/^\/[^/]+\/[^/?]*/.exec(url)?.[0])
  return first === 'sign-out' ? home : `/${first}`
}

interface BehindProps {
  readonly path: string
  readonly request: FastifyRequest
}

function OutOfDate({ path, request }: BehindProps) {
  return (
    <Page title="This page is out of date" mayBeSignedIn={mayBeSignedIn(request)}>
      <h1>This page is out of date</h1>
      <p>
        Nothing was changed. This can happen if you signed in or out in another tab, or if your browser blocks
        cookies. Open the page and try again.
      </p>
      <p class="actions">
        <a class="button" href={path}>
          Open the page
        </a>
      </p>
    </Page>
  )
}

interface ErrorPageProps {
  readonly refused: ApiError | undefined
  readonly request: FastifyRequest
}

function ErrorPage({ refused, request }: ErrorPageProps) {
  const { title, text } = errorText(refused, request)
  return (
    <Page title={title} mayBeSignedIn={mayBeSignedIn(request)}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p class="hint">
        Request ID: <code class="long">{request.id}</code>
      </p>
      <p class="actions">
        <a class="button" href="/">
          Go to the home page
        </a>
      </p>
    </Page>
  )
}

function OrderUnknownPage({ path, request }: BehindProps) {
  return (
    <Page title="No response in time" mayBeSignedIn={mayBeSignedIn(request)}>
      <h1>No response in time</h1>
      <p>
        We can’t tell whether your order was placed. If you named a new workspace, it may already exist. Wait
        a few seconds, then open the offer again: it shows your order if you have one, and you can’t place the
        same order twice.
      </p>
      <p class="hint">
        Request ID: <code class="long">{request.id}</code>
      </p>
      <p class="actions">
        <a class="button" href={path}>
          Open the offer again
        </a>
      </p>
    </Page>
  )
}
