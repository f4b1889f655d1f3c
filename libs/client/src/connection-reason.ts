import { ProxyError } from './errors.ts'

/** Why a request found no connection, or lost it, in words: `fetch` says nothing but "fetch failed". */
export function connectionReason(error: unknown): string {
  if (error instanceof ProxyError) return error.message
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

/** Such as that of a company whose proxy inspects TLS. */
const unknownAuthority = 'certificate of an unknown authority; NODE_EXTRA_CA_CERTS adds some'

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
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
}
