export class OauthRequestError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** Seconds, if the server sends it. */
  readonly retryAfter: number | undefined

  constructor(path: string, { status, headers }: Response, body: unknown) {
    const { error, error_description } = (body ?? {}) as { error?: unknown; error_description?: unknown }
    super(
      typeof error_description === 'string'
        ? `${error_description} (${error})`
        : `POST ${path}: the response with status ${status} is not an OAuth response. Is this the address of the API?`,
    )
    this.status = status
    this.code = typeof error === 'string' ? error : 'unknown'
    this.requestId = headers.get('svc-request-id')
    const seconds = headers.get('retry-after')
    this.retryAfter = seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) : undefined
  }
}
