/** An authenticator (WebAuthn Level 3, 6) in memory, with one passkey, for tests without a browser. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** What an authenticator app shows at `timestamp`, in Unix milliseconds. */
export const codeOf = (secret: string, timestamp = Date.now()): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp })

const base64url = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Flags of 6.1: user present, user verified, and attested credential data included. */
const flag = { present: 1, verified: 4, attested: 64 }

interface Asked {
  readonly challenge?: unknown
}

/** @param url of the gateway */
export function createAuthenticator(url: string, { verifies = true, counts = true } = {}) {
  const { origin } = new URL(url.replace('//127.0.0.1', '//localhost'))
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credential = randomBytes(16)
  const id = base64url(credential)
  let counter = 0

  const clientDataOf = (type: string, { challenge }: Asked, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))

  function dataOf(flags: number, rest: readonly Buffer[] = []) {
    if (counts) counter++
    const head = Buffer.alloc(5)
    head.writeUInt8(flag.present | (verifies ? flag.verified : 0) | flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(new URL(origin).hostname), head, ...rest])
  }

  return {
    id,
    /** Sets what it counts from, as another device of a synced passkey. */
    rewind(to: number) {
      counter = to
    },
    /** Answers `navigator.credentials.create()`. */
    create(options: Asked, at = origin) {
      // RFC 9052: an EC2 key for ES256 on P-256.
      const key = ['a5010203262001215820', Buffer.from(x, 'base64url'), '225820', Buffer.from(y, 'base64url')]
      const attested = [
        Buffer.alloc(16),
        Buffer.from([0, credential.length]),
        credential,
        ...key.map(part => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)),
      ]
      const data = dataOf(flag.attested, attested)
      // CBOR: { fmt: 'none', attStmt: {}, authData }.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      const response = {
        clientDataJSON: base64url(clientDataOf('webauthn.create', options, at)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      }
      return { id, rawId: id, type: 'public-key' as const, response }
    },
    /** Answers `navigator.credentials.get()`. */
    get(options: Asked | null, at = origin) {
      const client = clientDataOf('webauthn.get', options ?? {}, at)
      const data = dataOf(0)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      }
      return { id, rawId: id, type: 'public-key' as const, response }
    },
  }
}
