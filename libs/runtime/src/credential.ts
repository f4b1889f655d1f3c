import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const apiTokenPrefix = 'sk_svc_'
const checksumLength = 6
const apiTokenPattern = /^sk_svc_[0-9A-Za-z]{40}$/
const jwtPattern = /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
const sessionPattern = /^[0-9A-Za-z]{32}$/

export type CredentialShape = 'api_token' | 'session' | 'jwt'

/**
 * The kind of a credential by its shape (docs/specification.md, R3). A mistyped API token fails its checksum here.
 *
 * @returns undefined if it cannot be a credential
 */
export function shapeOf(credential: string): CredentialShape | undefined {
  if (credential.startsWith(apiTokenPrefix)) return isApiToken(credential) ? 'api_token' : undefined
  if (sessionPattern.test(credential)) return 'session'
  if (jwtPattern.test(credential)) return 'jwt'
  return undefined
}

/** `sk_svc_` + 34 random base62 characters + 6 that are the CRC-32 of the rest. */
export const createApiToken = (): string => withChecksum(apiTokenPrefix + randomBase62(34))

/** `ik_svc_` and the same rest: an install's own credential. */
export const createInstallCredential = (): string => withChecksum(`ik_svc_${randomBase62(34)}`)

/** `ak_svc_` and the same rest: the secret of a cluster's agent. */
export const createAgentSecret = (): string => withChecksum(`ak_svc_${randomBase62(34)}`)

export const isAgentSecret = (text: string): boolean =>
  /^ak_svc_[0-9A-Za-z]{40}$/.test(text) && hasChecksum(text)

/** Identifies an agent's secret without revealing it: 64 bits of its hash. */
export const agentKey = (secret: string): string => hashCredential(secret).slice(0, 16)

/** 32 random base62 characters (190 bits). */
export const createSessionToken = (): string => randomBase62(32)

/** SHA-256 in hex: the only form in which a credential crosses the bus or is stored. */
export const hashCredential = (credential: string): string => hash('sha256', credential)

function isApiToken(credential: string): boolean {
  if (!apiTokenPattern.test(credential)) return false
  return hasChecksum(credential)
}

const hasChecksum = (text: string) => text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength))

const withChecksum = (body: string) => body + checksum(body)

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let at = 0; at < checksumLength; at++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(length: number): string {
  let text = ''
  for (let at = 0; at < length; at++) text += base62[randomInt(62)]
  return text
}
