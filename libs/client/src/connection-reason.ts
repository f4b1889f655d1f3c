/** Why a request found no connection, or lost it, in words: `fetch` says nothing but "fetch failed". */
export function connectionReason(error: unknown): string {
  const { message, cause } = error as Error
  const { code, errors: [first] = [], message: detail } = (cause ?? {}) as FetchCause
  const found = code ?? first?.code
  if (typeof found === 'string') return reasons[found] ?? found
  return detail || message
}

/** Node.js tries every address of a host, and may collect what went wrong with each. */
interface FetchCause {
  readonly code?: unknown
  readonly message?: string
  readonly errors?: readonly { readonly code?: unknown }[]
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  CERT_HAS_EXPIRED: 'certificate expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
}
