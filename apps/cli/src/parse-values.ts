/** Parses values of options. An invalid one ends the command before anything is sent. */
import { lostNumber } from '@svc/contract/core/json-numbers'
import { InvalidArgumentError } from 'commander'

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** `90`, `90s`, `10m`, `1h` or `7d`, in seconds. */
export function parseDuration(text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? []
  if (digits === undefined) throw new InvalidArgumentError('Give a duration such as 90s, 10m, 1h or 7d.')
  return Number(digits) * units[unit as keyof typeof units]
}

export const parseTimeout = (text: string): number => {
  const seconds = parseDuration(text)
  if (seconds === 0) throw new InvalidArgumentError('Give at least one second.')
  return seconds * 1000
}

/** Unix seconds, a date or time of ISO 8601, or a duration from now; in Unix seconds. */
export function parseTime(text: string): number {
  if (/^\d{9,12}$/.test(text)) return Number(text)
  if (/^\d{1,9}[smhd]$/.test(text)) return Math.floor(Date.now() / 1000) + parseDuration(text)
  const at = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) {
    throw new InvalidArgumentError('Give Unix seconds, a time such as 2030-01-31T12:00:00Z, or 30d from now.')
  }
  return Math.floor(at / 1000)
}

export function parseInteger(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}

/** Base58, without 0, O, I and l. */
export const isShortHash = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{12}$/.test(text)

export function parseHash(text: string): string {
  if (!isShortHash(text)) throw new InvalidArgumentError('Give the short_hash of an offer (12 characters).')
  return text
}

export function parseNumber(text: string): string {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a number from 1 on.')
  return text
}

/** For the path of a request, where `..` would name another one. */
export function parseId(text: string): string {
  if (!/^[0-9A-Za-z_-]{1,100}$/.test(text)) {
    throw new InvalidArgumentError('Give an id: letters, digits, - and _.')
  }
  return text
}

/** Other characters may not survive in HTTP headers. */
export function parseKey(text: string): string {
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,62}[\x21-\x7e])?$/.test(text)) {
    throw new InvalidArgumentError('Give 1 to 64 ASCII characters, without spaces around them.')
  }
  return text
}

export function nameAndValue(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Give it as name=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

export function jsonOrText(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  const lost = lostNumber(text)
  if (lost) throw new InvalidArgumentError(`${lost.path.join('.') || text} ${lost.problem}.`)
  return value
}

export const collect = (text: string, before: readonly string[] = []): string[] => [...before, text]

/** Unix seconds as ISO 8601; a time outside the calendar stays a number, so that it does not break the list. */
export function timeText(seconds: number | null | undefined): string | null {
  if (seconds === null || seconds === undefined) return null
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z')
}
