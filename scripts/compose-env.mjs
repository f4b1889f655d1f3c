// `npm run compose:env`: writes .env for docker compose, with a random value for every password and key that it names.
import { randomBytes } from 'node:crypto'
import { newAccountNkey } from './account-nkey.mjs'
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const compose = readFileSync(new URL('docker-compose.yml', root), 'utf8')
// What has a default (`:-`) is no secret.
const names = [...new Set([...compose.matchAll(/\$\{(\w+)(?!\w|:-)/g)].map(([, name]) => name))]
// Letters first: the NATS server would read a password of digits as a number.
const password = () => `pw${randomBytes(18).toString('hex')}`
// As newSealingKey() in libs/runtime/src/seal.ts, which is not there before `npm install`.
const sealingKey = () => `1:${randomBytes(32).toString('base64')}`
const issuer = newAccountNkey()
const values = { AGENT_ISSUER_SEED: issuer.seed, NATS_AGENT_ISSUER: issuer.publicKey }
const lines = names.map(
  name => `${name}=${values[name] ?? (name.endsWith('_SEALING_KEYS') ? sealingKey() : password())}`,
)
try {
  writeFileSync(new URL('.env', root), `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
  console.log(`.env written: ${names.length} passwords and keys.`)
} catch (error) {
  if (error.code !== 'EEXIST') throw error
  console.error('.env exists already. The database volume knows its passwords; remove both to make new ones.')
  process.exit(1)
}
