/** JWTs made by hand, since libraries refuse to sign most of these. */
import { type KeyObject, createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'

type Part = object | string

export const encode = (part: Part): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** Signs any header and claims with ES256 (ES384 and so on by the key's curve; RSA with PKCS #1). */
export function forge(header: Part, claims: Part, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

export interface ForgeInput {
  readonly kid: string
  /** The private key whose public key is published under that id. */
  readonly key: KeyObject
  /** The claims of a valid token. */
  readonly claims: Record<string, unknown>
  /** Unix seconds. */
  readonly now: number
}

const header = (kid: unknown) => ({ alg: 'ES256', typ: 'at+jwt', kid })
const without = (object: object, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))

/** Unusual, but valid. */
export function goodTokens({ kid, key, claims, now }: ForgeInput): Record<string, string> {
  const attacker = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const named = header(kid)
  return {
    plain: forge(named, claims, key),
    'the whole media type': forge({ ...named, typ: 'application/at+jwt' }, claims, key),
    'typ in capitals': forge({ ...named, typ: 'AT+JWT' }, claims, key),
    'several audiences': forge(named, { ...claims, aud: ['https://other.test', claims.aud] }, key),
    'expired within the tolerance': forge(named, { ...claims, exp: now - 2 }, key),
    'not yet valid within the tolerance': forge(named, { ...claims, nbf: now + 4 }, key),
    'more claims': forge(
      named,
      { ...claims, scope: 'x installs:read', nested: { iss: 'a', deep: [{ iss: 'b' }] } },
      key,
    ),
    'jku, x5u and jwk that nobody looks at': forge(
      { ...named, jku: 'http://127.0.0.1:1/', x5u: 'http://127.0.0.1:1/', jwk: attacker },
      claims,
      key,
    ),
  }
}

/** Each is signed correctly, except for what its name says. */
export function badTokens(input: ForgeInput): Record<string, string> {
  return { ...badAlgorithms(input), ...badKeys(input), ...badClaims(input), ...badForms(input) }
}

/** Refused because of their own content: no key is looked up, and none is needed. */
export function cheapTokens(input: ForgeInput): Record<string, string> {
  const { kid, key, claims } = input
  const { iss: _iss, ...anonymous } = claims
  const named = header(kid)
  return {
    ...badForms(input),
    'of another issuer': forge(named, { ...claims, iss: 'https://evil.test' }, key),
    'of an issuer with a slash more': forge(named, { ...claims, iss: `${claims.iss}/` }, key),
    'of several issuers': forge(named, { ...claims, iss: [claims.iss] }, key),
    'of no issuer': forge(named, anonymous, key),
    'without algorithm': forge(without(named, 'alg'), claims, key),
    'with an algorithm that is a number': forge({ ...named, alg: 256 }, claims, key),
    'without key id': forge(without(named, 'kid'), claims, key),
    'with an empty key id': forge(header(''), claims, key),
    'with a key id that is a number': forge(header(1), claims, key),
    'with a key id of 300 characters': forge(header('k'.repeat(300)), claims, key),
    'with a critical extension': forge({ ...named, crit: ['exp'], exp: 1 }, claims, key),
    'with no critical extension in the list of them': forge({ ...named, crit: [] }, claims, key),
    'with an unencoded payload': forge({ ...named, crit: ['b64'], b64: false }, claims, key),
  }
}

function badAlgorithms({ kid, key, claims }: ForgeInput): Record<string, string> {
  const publicKey = createPublicKey(key)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const unsigned = ['none', 'None', 'NONE', 'nOnE'].flatMap(alg => {
    const input = `${encode({ ...header(kid), alg })}.${encode(claims)}`
    return [
      [`alg ${alg} without signature`, `${input}.`],
      [`alg ${alg} with any signature`, `${input}.AAAA`],
      [`alg ${alg} with a good signature`, forge({ ...header(kid), alg }, claims, key)],
    ]
  })
  const secrets = {
    PEM: publicKey.export({ format: 'pem', type: 'spki' }),
    DER: publicKey.export({ format: 'der', type: 'spki' }),
    JWK: JSON.stringify(publicKey.export({ format: 'jwk' })),
    'empty secret': '',
  }
  const symmetric = Object.entries(secrets).map(([name, secret]) => {
    const input = `${encode({ ...header(kid), alg: 'HS256' })}.${encode(claims)}`
    return [
      `HS256 by the public key as ${name}`,
      `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`,
    ]
  })
  return {
    ...Object.fromEntries([...unsigned, ...symmetric]),
    'RS256 over the key of ES256': forge({ ...header(kid), alg: 'RS256' }, claims, key),
    'RS256 by another RSA key': forge({ ...header(kid), alg: 'RS256' }, claims, rsa),
    'ES256 by an RSA key': forge(header(kid), claims, rsa),
    'ES384 over the key of ES256': forge({ ...header(kid), alg: 'ES384' }, claims, key),
    'ES256K over the key of ES256': forge({ ...header(kid), alg: 'ES256K' }, claims, key),
    'alg in small letters': forge({ ...header(kid), alg: 'es256' }, claims, key),
  }
}

function badKeys({ kid, key, claims }: ForgeInput): Record<string, string> {
  const { privateKey: other, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid }
  const unknown = [
    'unknown',
    '../../dev/null',
    "' or 1=1 --",
    '__proto__',
    'constructor',
    'a\u0000b',
    kid + kid,
  ]
  return {
    'another key under the same id': forge(header(kid), claims, other),
    'a key in the header': forge({ ...header(kid), jwk }, claims, other),
    'a key behind jku': forge({ ...header(kid), jku: 'http://127.0.0.1:1/jwks' }, claims, other),
    'a certificate in the header': forge(
      { ...header(kid), x5c: ['MIIB'], x5u: 'http://127.0.0.1:1/' },
      claims,
      other,
    ),
    ...Object.fromEntries(
      unknown.map(id => [`the key id ${JSON.stringify(id)}`, forge(header(id), claims, key)]),
    ),
  }
}

function badClaims({ kid, key, claims, now }: ForgeInput): Record<string, string> {
  const wrong: Record<string, object | string> = {
    'for another audience': { ...claims, aud: 'https://other.test' },
    'for other audiences': { ...claims, aud: ['https://other.test', `${claims.aud}/`] },
    'for no audience': { ...claims, aud: [] },
    expired: { ...claims, exp: now - 20 },
    'that expired when time began': { ...claims, exp: 0 },
    'with an expiry that is text': { ...claims, exp: String(now + 600) },
    'with an expiry that is null': { ...claims, exp: null },
    'that never expires': JSON.stringify({ ...claims, exp: 'X' }).replace('"X"', '1e400'),
    'not yet valid': { ...claims, nbf: now + 20 },
    'not before some text': { ...claims, nbf: 'now' },
  }
  // The session's own proof counts, not that of the claims.
  const needed = Object.keys(claims).filter(name => !['auth_time', 'amr'].includes(name))
  for (const name of needed) wrong[`without ${name}`] = without(claims, name)
  const typed = ['JWT', 'at+jwt2', 'dpop+jwt', 'at', '', 1, null]
  return {
    ...Object.fromEntries(Object.entries(wrong).map(([name, bad]) => [name, forge(header(kid), bad, key)])),
    ...Object.fromEntries(
      typed.map(typ => [`of type ${JSON.stringify(typ)}`, forge({ ...header(kid), typ }, claims, key)]),
    ),
    'of no type': forge(without(header(kid), 'typ'), claims, key),
    'with claims that are a list': forge(header(kid), [claims], key),
    'with claims that are text': forge(header(kid), '"text"', key),
    ...badSignatures(forge(header(kid), claims, key)),
  }
}

function badSignatures(good: string): Record<string, string> {
  const at = good.lastIndexOf('.') + 1
  const bytes = Buffer.from(good.slice(at), 'base64url')
  const signed = (signature: Buffer) => good.slice(0, at) + signature.toString('base64url')
  const flipped = Array.from({ length: 8 }, (_, n) => {
    const copy = Buffer.from(bytes)
    const place = n * 9
    copy[place % 64] = (copy[place % 64] ?? 0) ^ (1 << n)
    return [`with a bit of the signature flipped at ${place % 64}`, signed(copy)]
  })
  const [head = '', body = '', signature = ''] = good.split('.')
  const claims = Buffer.from(body, 'base64url').toString().replace('"sub":"', '"sub":"x')
  return {
    ...Object.fromEntries(flipped),
    'with a signature of zeros': signed(Buffer.alloc(64)),
    'with a signature of ones': signed(Buffer.alloc(64, 0xff)),
    'with r = s = n': signed(Buffer.from(order + order, 'hex')),
    'with half a signature': signed(bytes.subarray(0, 32)),
    'with a signature and a byte': signed(Buffer.concat([bytes, Buffer.from([0])])),
    'with a signature of one byte': signed(Buffer.from([0])),
    'with other claims than were signed': `${head}.${encode(claims)}.${signature}`,
  }
}

/** The order of P-256. */
const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'

/** Not what an issuer writes, although the signature, if any, is valid. */
function badForms({ kid, key, claims }: ForgeInput): Record<string, string> {
  const good = forge(header(kid), claims, key)
  const [head = '', body = '', signature = ''] = good.split('.')
  const twice = (object: object, name: string, value: unknown) =>
    `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // 64 bytes leave four bits of the last character unused.
  const last = alphabet.indexOf(signature.at(-1) ?? '')
  return {
    'with the same signature in other letters': `${good.slice(0, -1)}${alphabet[last ^ 1]}`,
    'with a kid that stands twice': forge(twice(header(kid), 'kid', kid), claims, key),
    'with an alg that stands twice, once in disguise': forge(
      JSON.stringify(header(kid)).replace('{', '{"\\u0061lg":"none",'),
      claims,
      key,
    ),
    'with a sub that stands twice': forge(header(kid), twice(claims, 'sub', 'user_other'), key),
    'with a header that is a list': forge([header(kid)], claims, key),
    'with a header that is not JSON': `eyJ9.${body}.${signature}`,
    'with a header that ends early': `${head.slice(0, -4)}.${body}.${signature}`,
    'with a header of 3 KB': forge({ ...header(kid), pad: 'x'.repeat(3000) }, claims, key),
    'of 9 KB': forge(header(kid), { ...claims, pad: 'x'.repeat(6500) }, key),
    'with a header that is not UTF-8': `${Buffer.concat([
      Buffer.from('{"alg":"ES256","kid":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]).toString('base64url')}.${body}.${signature}`,
    'in five parts, as what is encrypted': `${head}.${body}.${signature}.${body}.${signature}`,
    'in two parts': `${head}.${body}`,
    'with an empty signature': `${head}.${body}.`,
    'with padding': `${good}==`,
  }
}
