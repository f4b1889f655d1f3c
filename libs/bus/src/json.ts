/**
 * Parses a body from outside: bounded in depth and keys, unambiguous, and free of values that lower layers cannot
 * hold.
 */
import type { CodeName } from '@svc/contract/core/error-codes'
import { refusal } from '@svc/contract/core/errors'
import { lostNumber } from '@svc/contract/core/json-numbers'
import { countKeys, repeatedKey } from './object-keys.ts'

/** Deeper nesting is refused before anything recursive sees it. */
export const maxJsonDepth = 32
/**
 * Keys of all objects together, which determine the cost of a body. An input schema needs ten for each of its up to
 * 200 properties.
 */
export const maxJsonKeys = 2000

const suspicious = /\\u|__proto__/

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * @returns the value, or undefined for an empty body
 * @throws ApiError `Validation` if the body is not JSON in UTF-8, is nested too deeply, has more than 2,000 keys,
 * repeats a key, has `__proto__`, holds U+0000 or half of a surrogate pair (PostgreSQL can store neither), or a
 * number that would lose precision ({@link lostNumber})
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const written = keysWritten(bytes)
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
  } catch {
    throw refusal('malformed_json', { message: 'The body is not valid UTF-8.' })
  }
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refusal('malformed_json', { message: `The body is not valid JSON${where(error)}.` })
  }
  if (countKeys(value) !== written)
    throw wrong('repeated_key', repeatedKey(text) ?? [], 'is given more than once')
  // All of these show in the text, as an escape or a name, so few bodies need to be walked.
  if (suspicious.test(text)) refuseUnstorable(value, [])
  const lost = lostNumber(text)
  if (lost) throw unstorable(lost.path, lost.problem)
  return value
}

/**
 * Counts brackets, and colons outside strings. Runs on bytes before the parser, and stops at the bounds.
 *
 * @returns the number of keys in the text
 */
function keysWritten(bytes: Uint8Array): number {
  let depth = 0
  let keys = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inString) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x3a) {
      if (++keys > maxJsonKeys) throw wrong('invalid_body', [], `has more than ${maxJsonKeys} keys`)
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) {
        throw refusal('malformed_json', { message: `The body is nested deeper than ${maxJsonDepth} levels.` })
      }
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return keys
}

/** V8's position without its excerpt of the body, which must not appear in logs. */
function where(error: unknown): string {
  const position = /at position (\d+)/.exec(String(error))
  return position ? ` (at position ${position[1]})` : ''
}

function refuseUnstorable(value: unknown, path: string[]): void {
  if (typeof value === 'string') {
    refuseText(value, path)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnstorable(item, [...path, String(index)])
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__') throw unstorable([...path, key], 'is not accepted as a name')
      refuseText(key, path)
      refuseUnstorable(item, [...path, key])
    }
  }
}

function refuseText(text: string, path: string[]): void {
  if (text.includes('\u0000')) throw unstorable(path, 'must not contain the character U+0000')
  if (/\p{Surrogate}/u.test(text)) throw unstorable(path, 'must not contain half of a surrogate pair')
}

const unstorable = (names: string[], problem: string) => wrong('invalid_body', names, problem)

/** Names come from the request, so they are cut before they are echoed. */
function wrong(reason: CodeName, names: string[], problem: string) {
  const path = names.map(name => (name.length > 100 ? `${name.slice(0, 100)}…` : name))
  return refusal(reason, { path, message: `${path.join('.') || 'The body'} ${problem}.` })
}
