// `npm run compose:env`: writes .env for docker compose, with a random value for every password and key that it
// names. Values in the file stay as they are.
import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { newAccountNkey } from './account-nkey.mjs'

const root = new URL('../', import.meta.url)
const file = new URL('.env', root)
const compose = readFileSync(new URL('docker-compose.yml', root), 'utf8')
const text = readIfPresent()
const known = parseEnv(text)
// A variable with a default (`:-`) is not a secret.
const names = [...new Set([...compose.matchAll(/\$\{(\w+)(?!\w|:-)/g)].map(([, name]) => name))]
const missing = names.filter(name => !known[name])
// The two belong together, and only the seed is a secret: if one exists, the other cannot be created here.
const issuer = ['AGENT_ISSUER_SEED', 'NATS_AGENT_ISSUER']
const [half] = issuer.filter(name => missing.includes(name))
if (half && issuer.some(name => known[name]))
  fail(`.env has no ${half}, which belongs to the other half of the issuer.`)
for (const name of missing) {
  if (name.endsWith('_SEALING_KEYS') && text)
    fail(
      `.env has no ${name}, and no other key opens what was sealed. Take it from your copy, or set a new one by hand.`,
    )
}

// Letters first: the NATS server would read a password of digits as a number.
const password = () => `pw${randomBytes(18).toString('hex')}`
// As newSealingKey() in libs/runtime/src/seal.ts, which does not exist before `npm install`.
const sealingKey = () => `1:${randomBytes(32).toString('base64')}`
const made = newAccountNkey()
const values = { AGENT_ISSUER_SEED: made.seed, NATS_AGENT_ISSUER: made.publicKey }
const lines = missing.map(
  name => `${name}=${values[name] ?? (name.endsWith('_SEALING_KEYS') ? sealingKey() : password())}\n`,
)
const separator = text && !text.endsWith('\n') ? '\n' : ''
if (missing.length > 0) appendFileSync(file, separator + lines.join(''), { mode: 0o600 })
console.log(
  missing.length > 0
    ? `.env: ${missing.length} passwords and keys written.`
    : '.env has every password and key.',
)

function readIfPresent() {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
