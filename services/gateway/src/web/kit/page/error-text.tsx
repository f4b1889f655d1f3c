import type { EnvelopeTag } from '@svc/contract/core/error-codes'
import type { ApiError } from '@svc/contract/core/errors'
import type { FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { field } from '../forms/form-fields.ts'
import { isRefusedAs, isUnanswered } from '../forms/refused-as.ts'
import { FactorNeeded } from './factor-needed.tsx'

interface ErrorText {
  readonly title: string
  readonly text: ComponentChildren
}

/** @param refused undefined: an internal fault */
export function errorText(refused: ApiError | undefined, request: FastifyRequest): ErrorText {
  const { tag, reason, message } = refused ?? { tag: 'Internal' as const }
  // The URL of a form, opened without it, has no page either.
  if (reason === 'unknown_route' || tag === 'MethodNotAllowed') return unknownPage
  if (isRefusedAs(refused, 'second_factor_required'))
    return { title: 'Second factor required', text: <FactorNeeded path={request.url} /> }
  if (tag === 'RateLimited') return { title: 'Too many attempts', text: message }
  if (refused && isUnanswered(refused))
    return request.method === 'POST' ? notDone(refused, request) : notLoaded
  return texts[tag as EnvelopeTag] ?? malformed
}

const malformed = {
  title: 'Something’s wrong with this link',
  text: 'Nothing was changed. The address or form was incomplete or had been altered.',
}

/** Without "nothing was changed": the form that led here may have changed something. */
const notLoaded = { title: 'Temporarily unavailable', text: 'Wait a few seconds, then reload the page.' }

const notDone = (refused: ApiError, request: FastifyRequest): ErrorText => ({
  title: refused.tag === 'Timeout' ? 'No response in time' : notLoaded.title,
  // With a key it creates one, however often it is sent.
  text: unansweredText(refused, field(request, 'key') !== ''),
})

/**
 * The text for a form that a service did not answer.
 *
 * @param isRepeatable whether sending it again does nothing twice
 */
export function unansweredText({ tag, message }: ApiError, isRepeatable = false): string {
  // The service may know more about the outcome.
  if (tag === 'Unavailable')
    return message.replace('Nothing was executed.', 'Nothing was changed. Try again in a moment.')
  const unknown = 'We can’t tell whether this went through.'
  return isRepeatable
    ? `${unknown} It’s safe to try again: nothing is created twice.`
    : `${unknown} Check before you try again.`
}

const unknownPage = {
  title: 'Page not found',
  text: (
    <>
      There’s no page at this address. Check it for typos, or go to the home page or{' '}
      <a href="/docs">documentation</a>.
    </>
  ),
}

const texts: Partial<Record<EnvelopeTag, ErrorText>> = {
  NotFound: {
    title: 'Not found',
    text: 'We couldn’t find what you’re looking for. It may have been deleted, or the address may be wrong.',
  },
  Forbidden: { title: 'Not allowed', text: 'You don’t have permission to do this.' },
  PayloadTooLarge: { title: 'That’s too long', text: 'Go back and shorten your text.' },
  Internal: {
    title: 'Something went wrong on our side',
    text: 'Try again. If it keeps happening, contact support and include the request ID below.',
  },
}
