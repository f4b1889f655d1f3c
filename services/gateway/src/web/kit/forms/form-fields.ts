import { refusal } from '@svc/contract/core/errors'
import { boundParameters } from '@svc/contract/core/validate'
import type { FastifyRequest } from 'fastify'
import { boundFields } from '../../../edge/http/bound-fields.ts'

export type Problems = Readonly<Record<string, string>>

export const tokenField = '_csrf'

export const parseForm = (text: string) => ({ fields: new URLSearchParams(boundFields(text)) })

export const field = (request: FastifyRequest, name: string): string => fieldsOf(request)?.get(name) ?? ''

export const sentFields = (request: FastifyRequest): Readonly<Record<string, string>> =>
  Object.fromEntries([...(fieldsOf(request) ?? [])].filter(([name]) => name !== tokenField))

export function replaceFields(request: FastifyRequest, text: string) {
  request.body = parseForm(text)
}

export function refuseRepeatedFields(request: FastifyRequest) {
  const names = [...(fieldsOf(request)?.keys() ?? [])]
  if (new Set(names).size === names.length) return
  throw refusal('invalid_body', { message: 'A form field was sent more than once.' })
}

const fieldsOf = ({ body }: FastifyRequest) => (body as ReturnType<typeof parseForm> | undefined)?.fields

/** @throws ApiError `Validation` if it has too many parameters */
export function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?')
  const query = at < 0 ? '' : url.slice(at + 1)
  boundParameters(query)
  return new URLSearchParams(query)
}
