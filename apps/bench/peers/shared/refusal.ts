/** An expected refusal, in the envelope of docs/specification.md, R17. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {
    super(`refused with ${status}`)
    this.name = 'Refusal'
  }
}

export interface Problem {
  readonly code: number
  readonly message: string
  readonly path?: string[]
}

const tags: Record<number, string> = {
  400: 'Validation',
  401: 'Unauthorized',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
}

export const errorBody = (status: number, errors: readonly Problem[]) => ({
  _tag: tags[status] ?? 'Internal',
  success: false,
  errors,
  result: {},
})

export const refusal = (status: number, ...problems: Problem[]) =>
  new Refusal(status, errorBody(status, problems))

/** What a frontier answers to anything that is no refusal. */
export const internalBody = errorBody(500, [{ code: 50001, message: 'Something went wrong.' }])

export const unauthorized = () =>
  refusal(401, { code: 40101, message: 'The credential is missing or invalid.' })

export const invalid = (path: string[], message: string, code = 40002) =>
  refusal(400, { code, message, path })

export const unprocessable = (field: string, message: string): Problem => ({
  code: 42201,
  message: `${field} ${message}.`,
  path: field.split('.'),
})
