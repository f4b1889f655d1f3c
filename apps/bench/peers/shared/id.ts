/** Ids as the product makes them: as long, and sorted by time. */
import { randomBytes } from 'node:crypto'

const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** `<prefix>_` + 10 characters of time + 16 of chance. */
export function newId(prefix: string): string {
  let rest = Date.now()
  let time = ''
  for (let at = 0; at < 10; at++) {
    time = base32[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  return `${prefix}_${time}${randomText(base32, 16)}`
}

export const newShortHash = (): string => randomText(base58, 12)

export const newEtag = (): string => randomBytes(12).toString('base64url')

function randomText(alphabet: string, length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += alphabet[byte % alphabet.length]
  return text
}
