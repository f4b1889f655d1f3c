/** Encrypts secrets in the database with AES-256-GCM (NIST SP 800-38D), under keys that can be rotated. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const version = 'v1'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export interface Seal {
  readonly keyId: string
  /**
   * Seals `text` for one place.
   *
   * @param context where it is stored, such as `signing_keys <kid>`; it cannot be unsealed elsewhere
   * @returns `v1.<key id>.<base64url of nonce, ciphertext and tag>`
   */
  seal(text: string, context: string): string
  /** @throws Error if its key is not configured, or it was sealed for another context, or is damaged */
  unseal(sealed: string, context: string): string
}

/** `<id>:<base64 of 32 bytes>`, separated by commas: the first seals, all of them unseal. */
export const sealingKeysPattern =
  /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=(,[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=)*$/

export const newSealingKey = (id: string): string => `${id}:${randomBytes(keyBytes).toString('base64')}`

/**
 * @param keys in the format of {@link sealingKeysPattern}
 * @throws Error if two keys have the same id
 */
export function createSeal(keys: string): Seal {
  const entries = keys.split(',').map(entry => {
    const [id = '', key = ''] = entry.split(':')
    return [id, Buffer.from(key, 'base64')] as const
  })
  const byId = new Map(entries)
  if (byId.size < entries.length) throw new Error('two sealing keys have the same id')
  const [first] = entries
  if (!first || first[1].length !== keyBytes) throw new Error('a sealing key is <id>:<base64 of 32 bytes>')
  const [keyId, ownKey] = first
  return { keyId, seal, unseal }

  function seal(text: string, context: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', ownKey, nonce).setAAD(dataOf(keyId, context))
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${version}.${keyId}.${sealed.toString('base64url')}`
  }

  function unseal(sealed: string, context: string): string {
    const [found, id = '', text = ''] = sealed.split('.')
    const key = byId.get(id)
    if (found !== version || !key) {
      throw new Error(`a secret was sealed with the key ${JSON.stringify(id)}, which is not configured`)
    }
    const bytes = Buffer.from(text, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(dataOf(id, context)).setAuthTag(bytes.subarray(-tagBytes))
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }
}

const dataOf = (keyId: string, context: string) => Buffer.from(`${version}.${keyId}.${context}`)

/** The id of the key that sealed this; undefined if it is not sealed. */
export const sealedWith = (sealed: string): string | undefined => /^v1\.([^.]+)\./.exec(sealed)?.[1]
