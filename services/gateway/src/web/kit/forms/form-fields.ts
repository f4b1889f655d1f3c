/** The fields of a submitted form or query, and their validation. */
import { workspaceName } from '@svc/contract/core/display-name'
import { refusal } from '@svc/contract/core/errors'
import { boundParameters } from '@svc/contract/core/validate'
import { newPassword, password } from '@svc/contract/auth-tokens/sessions'
import { emailAddress, isMailboxAscii } from '@svc/contract/core/email-address'
import { hasWebAddress } from '@svc/runtime/web-address'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { boundFields } from '../../../edge/http/bound-fields.ts'

/** What is wrong with a form, by the name of the field; '' for the form as a whole. */
export type Problems = Readonly<Record<string, string>>

/** The hidden field of every form. */
export const tokenField = '_csrf'

/** A form as the parser leaves it. */
export const parseForm = (text: string) => ({ fields: new URLSearchParams(boundFields(text)) })

/** A field, '' where it is missing. */
export const field = (request: FastifyRequest, name: string): string => fieldsOf(request)?.get(name) ?? ''

/** All of a form, without what keeps it from being forged. */
export const sentFields = (request: FastifyRequest): Readonly<Record<string, string>> =>
  Object.fromEntries([...(fieldsOf(request) ?? [])].filter(([name]) => name !== tokenField))

/** Which of two values is meant would be a guess. */
export function refuseRepeatedFields(request: FastifyRequest) {
  const names = [...(fieldsOf(request)?.keys() ?? [])]
  if (new Set(names).size === names.length) return
  throw refusal('invalid_body', { message: 'A form field was sent more than once.' })
}

const fieldsOf = ({ body }: FastifyRequest) => (body as ReturnType<typeof parseForm> | undefined)?.fields

/** @throws ApiError `Validation` where it has too many parameters */
export function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?')
  const query = at < 0 ? '' : url.slice(at + 1)
  boundParameters(query)
  return new URLSearchParams(query)
}

/** When a field is valid, and the message otherwise. */
type Rule = readonly [z.ZodType, string | ((sent: string) => string)]

export const emailRule: Rule = [
  emailAddress,
  sent =>
    isMailboxAscii(sent)
      ? 'Enter an email address, like name@example.com.'
      : 'Enter an address with only unaccented letters before the @: others don’t receive mail from everywhere.',
]
export const passwordRule: Rule = [password, 'Enter your password.']
export const workspaceNameRule: Rule = [
  workspaceName.refine(name => !hasWebAddress(name)),
  sent =>
    sent.trim() === ''
      ? 'Enter a name for your workspace.'
      : 'Use 1 to 100 characters, without web addresses or invisible characters.',
]
export const newPasswordRule = [
  newPassword,
  'Choose a password of 8 to 200 characters.',
] as const satisfies Rule

/** @returns what to say of each field that is not right; undefined when all are */
export function problemsOf<Sent extends Record<string, string>>(
  sent: Sent,
  rules: Record<keyof Sent, Rule>,
): Problems | undefined {
  const wrong = Object.entries<Rule>(rules).filter(
    ([name, [schema]]) => !schema.safeParse(sent[name]).success,
  )
  if (wrong.length === 0) return undefined
  return Object.fromEntries(
    wrong.map(([name, [, text]]) => [name, typeof text === 'string' ? text : text(sent[name] ?? '')]),
  )
}
