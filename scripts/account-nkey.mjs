// Creates an account's nkey without any installed package: Ed25519 in NATS's own format (base32 with a CRC-16).
import { generateKeyPairSync } from 'node:crypto'

/** The seed (`SA…`) and the public key (`A…`). */
export function newAccountNkey() {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seedPrefix, accountPrefix] = [18 << 3, 0]
  return {
    seed: written([seedPrefix, accountPrefix, ...Buffer.from(d, 'base64url')]),
    publicKey: written([accountPrefix, ...Buffer.from(x, 'base64url')]),
  }
}

function written(bytes) {
  const sum = crc16(bytes)
  return base32([...bytes, sum & 0xff, sum >> 8])
}

/** XMODEM's. */
function crc16(bytes) {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc
}

/** RFC 4648, without padding. */
function base32(bytes) {
  const bits = bytes.map(byte => byte.toString(2).padStart(8, '0')).join('')
  return bits
    .match(/.{1,5}/g)
    .map(five => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
