import { OutboundError, type OutboundErrorCode } from './outbound-error.ts'

/** How far it came. */
export type Phase = 'connect' | 'tls' | 'protocol'

const sentences: Record<Phase, string> = {
  connect: 'No connection was made',
  tls: 'No TLS connection to the host of the URL was made',
  protocol: 'No complete answer in HTTP/1.1 was received',
}

/** What went wrong, in words that name no address: the text of the error may have one, its code never has. */
export function failureOf(error: unknown, phase: Phase): { code: OutboundErrorCode; message: string } {
  if (error instanceof OutboundError) return error
  return { code: phase, message: `${sentences[phase]}: ${codeOf(error)}.` }
}

/** As `ECONNREFUSED`, `CERT_HAS_EXPIRED` or `HPE_HEADER_OVERFLOW`. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error'
