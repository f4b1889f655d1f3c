// Prints the Secrets that an overlay reads, with new random credentials, for `kubectl create -f -`. `create`, because the
// database keeps the passwords that it was made with.
//
//   node deploy/kubernetes/make-secrets.mjs small
//   node deploy/kubernetes/make-secrets.mjs cloudnative-pg
//   DATABASE=postgres://db.example.com:5432/svc?sslmode=require node deploy/kubernetes/make-secrets.mjs production
//
// Taken from the environment where they are set: the secrets that the operator gives (MAIL_URL, STRIPE_SECRET_KEY, …), and for a
// database that exists the passwords of its roles: OFFERS_DATABASE_PASSWORD, AUTH_TOKENS_DATABASE_PASSWORD, …, MONITOR_DATABASE_PASSWORD.
import { randomBytes } from 'node:crypto'
import {
  busUsers,
  databasePasswordVariable,
  entries,
  environmentName,
  natsPasswordVariable,
  schemaOf,
  serviceNames,
} from '@svc/contract/manifest'
import { newNkey } from '@svc/bus/nkey'
import { newIssuer } from '@svc/bus/user-jwt'
import { newSealingKey } from '@svc/runtime/seal'

const databases = {
  small: 'postgres://postgres:5432/svc',
  'cloudnative-pg': 'postgres://postgres-rw:5432/svc',
  production: process.env.DATABASE,
}

const [target = ''] = process.argv.slice(2)
if (!Object.hasOwn(databases, target)) fail(`Name one of ${Object.keys(databases).join(', ')}.`)
const database = databases[target]
if (!URL.canParse(database ?? '')) {
  fail('Say where the database is: DATABASE=postgres://host:5432/svc, without a user.')
}

const password = () => `pw${randomBytes(18).toString('hex')}`
const databasePasswords = Object.fromEntries(
  serviceNames.map(service => [service, process.env[databasePasswordVariable(service)] || password()]),
)
const adminPassword = password()

const secrets = { nats: {} }
for (const user of busUsers) {
  const own = {}
  if (target === 'small') {
    own.NATS_PASSWORD = password()
    secrets.nats[natsPasswordVariable(user)] = own.NATS_PASSWORD
  } else {
    const { seed, publicKey } = newNkey()
    own.NATS_NKEY_SEED = seed
    secrets.nats[`NATS_${environmentName(user)}_NKEY`] = publicKey
  }
  secrets[user === 'backoffice' ? 'admin' : user] = own
}
for (const service of serviceNames) {
  secrets[service].DATABASE_URL = as(schemaOf(service), databasePasswords[service], database)
}
// Of the component postgres-exporter, which knows the address without the protocol, and no TLS unless it is told so, as the services.
const monitorPassword = process.env.MONITOR_DATABASE_PASSWORD || password()
const { host, pathname, search } = new URL(database)
secrets['postgres-exporter'] = {
  DATA_SOURCE_URI: host + pathname + (search || '?sslmode=disable'),
  DATA_SOURCE_USER: 'monitor',
  DATA_SOURCE_PASS: monitorPassword,
}
const issuer = newIssuer()
secrets.nats.NATS_AGENT_ISSUER = issuer.publicKey
const made = { SEALING_KEYS: () => newSealingKey('1'), AGENT_ISSUER_SEED: () => issuer.seed }
for (const [service, { secrets: own, givenSecrets = [] }] of entries) {
  for (const name of own) secrets[service][name] = made[name]()
  for (const name of givenSecrets) if (process.env[name]) secrets[service][name] = process.env[name]
}
if (target !== 'production') {
  secrets['setup-database'] = {
    ADMIN_DATABASE_URL: as('postgres', adminPassword, database.replace(/svc$/, 'postgres')),
    MONITOR_DATABASE_PASSWORD: monitorPassword,
    ...Object.fromEntries(
      serviceNames.map(service => [databasePasswordVariable(service), databasePasswords[service]]),
    ),
  }
}
if (target === 'small') secrets.postgres = { POSTGRES_PASSWORD: adminPassword }
if (target === 'cloudnative-pg') {
  secrets['postgres-superuser'] = { username: 'postgres', password: adminPassword }
}

const items = Object.entries(secrets).map(([name, stringData]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'svc' },
  type: name === 'postgres-superuser' ? 'kubernetes.io/basic-auth' : 'Opaque',
  stringData,
}))
process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`)

function as(username, secret, url) {
  const own = new URL(url)
  own.username = username
  own.password = secret
  return String(own)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
