// Prints the Secrets that an overlay reads, as docs/running/secrets.md says:
//
//   node deploy/kubernetes/make-secrets.mjs small                     all of them, with new random credentials
//   … small --existing FILE                                           keeps what is there, and adds what is missing
//   … small --existing FILE --rotate begin|switch|end                 one step of changing all of them
//
// FILE is what `kubectl -n svc get secrets -o json` prints, `-` the standard input. Targets: small, cloudnative-pg, production,
// which needs DATABASE=postgres://db.example.com:5432/svc?sslmode=require.
//
// Taken from the environment where they are set: the secrets that the operator gives (MAIL_URL, STRIPE_SECRET_KEY, …), passwords
// of the roles of a database that exists (OFFERS_DATABASE_PASSWORD, …, MONITOR_DATABASE_PASSWORD), and keys that were lost here (OFFERS_SEALING_KEYS, …).
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const [manifest, { newNkey }, { issuerOf, newIssuer }, { newSealingKey }, strings] = await Promise.all([
  import('@svc/contract/manifest'),
  import('@svc/bus/nkey'),
  import('@svc/bus/user-jwt'),
  import('@svc/runtime/seal'),
  import('@svc/runtime/connection/connection-string'),
]).catch(error => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  fail(
    'Run it from an image (docker run --rm -i svc-offers:TAG node /app/deploy/kubernetes/make-secrets.mjs), or build first: npm ci && npm run build.',
  )
})
const {
  busUsers,
  databasePasswordVariable,
  entries,
  environmentName,
  natsPasswordVariable,
  schemaOf,
  serviceNames,
} = manifest
const { changeConnectionString, readConnectionString } = strings

const databases = {
  small: 'postgres://postgres:5432/svc',
  'cloudnative-pg': 'postgres://postgres-rw:5432/svc',
  production: process.env.DATABASE,
}
const { positionals, values } = readArguments()
const [target = ''] = positionals
if (!Object.hasOwn(databases, target)) fail(`Name one of ${Object.keys(databases).join(', ')}.`)
const steps = ['begin', 'switch', 'end']
if (values.rotate && !steps.includes(values.rotate)) fail(`--rotate takes ${steps.join(', ')}.`)
if (values.rotate && !values.existing) fail('--rotate needs the Secrets that exist: --existing.')

const existing = values.existing === undefined ? new Map() : readSecrets(values.existing)
const isNew = !['nats', ...serviceNames].some(name => existing.has(name))
const nats = { ...existing.get('nats')?.data }
const setup = { ...existing.get('setup-database')?.data }
const secrets = new Map([['nats', nats]])
const notes = []

const database = databases[target] ?? hostOf(existing.get(serviceNames[0])?.data.DATABASE_URL)
if (!database) fail('Say where the database is: DATABASE=postgres://host:5432/svc, without a user.')
try {
  readConnectionString(database)
} catch (error) {
  fail(`DATABASE ${error.message}.`)
}
const password = () => `pw${randomBytes(18).toString('hex')}`
const secretOf = user => (user === 'backoffice' ? 'admin' : user)
/** Whether this service has been set up: other secrets refer to it. */
const isKnown = service =>
  [natsPasswordVariable(service), nkeyVariable(service)].some(name => name in nats) ||
  databasePasswordVariable(service) in setup

// The superuser is known, or may have been removed after the set-up.
const superuser =
  existing.get('postgres')?.data.POSTGRES_PASSWORD ??
  existing.get('postgres-superuser')?.data.password ??
  passwordIn(setup.ADMIN_DATABASE_URL) ??
  (isNew && target !== 'production' ? password() : undefined)

for (const [service, { secrets: made, givenSecrets = [] }] of entries) {
  const own = { ...existing.get(service)?.data }
  secrets.set(service, own)
  const known = isKnown(service)
  const role = schemaOf(service)
  const variable = databasePasswordVariable(service)
  const rolePassword = process.env[variable] || passwordIn(own.DATABASE_URL) || setup[variable]
  // Only setup-database would give a new password to the role.
  if (!rolePassword && !isNew && !superuser) {
    fail(`No Secret has the password of the role ${role}: give it as ${variable}.`)
  }
  own.DATABASE_URL = as(role, rolePassword || password(), hostOf(own.DATABASE_URL) ?? database)
  for (const name of made) {
    const given = process.env[`${environmentName(service)}_${name}`]
    if (given) own[name] = given
    if (name === 'SEALING_KEYS' && !own[name] && known) {
      fail(
        `The Secret ${service} has no SEALING_KEYS, and no other key opens what was sealed: give your copy of them as ` +
          `${environmentName(service)}_SEALING_KEYS.`,
      )
    }
    if (name === 'SEALING_KEYS') own[name] ??= newSealingKey('1')
    if (name === 'AGENT_ISSUER_SEED') {
      own[name] ??= newIssuer().seed
      nats.NATS_AGENT_ISSUER = issuerOf(own[name])
    }
  }
  for (const name of givenSecrets) if (process.env[name]) own[name] = process.env[name]
}
for (const user of busUsers) {
  const name = secretOf(user)
  const own = secrets.get(name) ?? { ...existing.get(name)?.data }
  secrets.set(name, own)
  if (target === 'small') {
    own.NATS_PASSWORD ??= nats[natsPasswordVariable(user)] ?? password()
    nats[natsPasswordVariable(user)] = own.NATS_PASSWORD
  } else {
    own.NATS_NKEY_SEED ??= newNkey().seed
    nats[nkeyVariable(user)] = issuerOf(own.NATS_NKEY_SEED)
  }
}
if (superuser) {
  secrets.set('setup-database', {
    ...setup,
    ADMIN_DATABASE_URL: changeConnectionString(as('postgres', superuser, database), { database: 'postgres' }),
  })
  if (target === 'small') secrets.set('postgres', { POSTGRES_PASSWORD: superuser })
  else secrets.set('postgres-superuser', { username: 'postgres', password: superuser })
} else if (target !== 'production')
  notes.push('The superuser is not known here any more: setup-database cannot run.')
if (target === 'small') {
  // It may read everything and write nothing, so that backups need no superuser.
  const kept = passwordIn(existing.get('backup')?.data.DATABASE_URL) ?? setup.BACKUP_DATABASE_PASSWORD
  if (kept || superuser) secrets.set('backup', { DATABASE_URL: as('backup', kept ?? password(), database) })
}

// The component postgres-exporter has the address without the protocol, and treats a missing sslmode as "require".
const monitor = existing.get('postgres-exporter')?.data
const monitorPassword =
  process.env.MONITOR_DATABASE_PASSWORD || monitor?.DATA_SOURCE_PASS || setup.MONITOR_DATABASE_PASSWORD
if (monitorPassword || superuser || isNew) {
  if (!monitor && readConnectionString(database).hosts.length > 1)
    notes.push(
      'The exporter of PostgreSQL takes one host, and watches the first: DATA_SOURCE_URI of its Secret names it.',
    )
  secrets.set('postgres-exporter', {
    DATA_SOURCE_URI: monitor?.DATA_SOURCE_URI ?? withSslmode(exporterUri(hostOf(database))),
    DATA_SOURCE_USER: 'monitor',
    DATA_SOURCE_PASS: monitorPassword ?? password(),
  })
}

const was = existing.get('nats')?.rotation
const rotation = values.rotate === undefined ? was : rotate(values.rotate)
if (secrets.has('setup-database')) {
  const passwords = serviceNames.map(name => [
    databasePasswordVariable(name),
    passwordIn(secrets.get(name).DATABASE_URL),
  ])
  Object.assign(secrets.get('setup-database'), Object.fromEntries(passwords), {
    ...(secrets.has('postgres-exporter') && {
      MONITOR_DATABASE_PASSWORD: secrets.get('postgres-exporter').DATA_SOURCE_PASS,
    }),
    ...(secrets.has('backup') && {
      BACKUP_DATABASE_PASSWORD: passwordIn(secrets.get('backup').DATABASE_URL),
    }),
  })
}
for (const note of notes) process.stderr.write(`${note}\n`)
const items = [...secrets].map(([name, data]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'svc', ...(rotation && { annotations: { 'svc/rotation': rotation } }) },
  type: name === 'postgres-superuser' ? 'kubernetes.io/basic-auth' : 'Opaque',
  // Not stringData, from which a server-side apply removes nothing.
  data: Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  ),
}))
process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`)

/**
 * First everyone gets both, then everyone uses the new one, then nobody has the old one. A repeated step has no
 * effect.
 */
function rotate(step) {
  const before = { begin: [undefined, 'begin'], switch: ['begin', 'switch'], end: ['switch', undefined] }[
    step
  ]
  if (!before.includes(was)) {
    fail(`The last step was ${was ?? 'end'}: ${step} does not follow.`)
  }
  if (was !== (step === 'end' ? undefined : step)) {
    for (const user of busUsers) turnBusUser(step, user, secrets.get(secretOf(user)))
    for (const [service, { secrets: made }] of entries) {
      const own = secrets.get(service)
      turnDatabasePassword(step, own)
      if (made.includes('SEALING_KEYS')) own.SEALING_KEYS = turnSealingKeys(step, own.SEALING_KEYS)
      if (made.includes('AGENT_ISSUER_SEED')) {
        turn(step, own, 'AGENT_ISSUER_SEED', 'AGENT_ISSUER_SECOND_SEED', () => newIssuer().seed)
        nats.NATS_AGENT_ISSUER = issuerOf(own.AGENT_ISSUER_SEED)
      }
    }
    // Only dumps and scrapes connect as these roles, and setup-database sets their passwords.
    if (step === 'switch' && superuser) {
      secrets.get('postgres-exporter').DATA_SOURCE_PASS = password()
      if (secrets.has('backup'))
        secrets.set('backup', { DATABASE_URL: as('backup', password(), secrets.get('backup').DATABASE_URL) })
    }
  }
  return step === 'end' ? undefined : step
}

function turnBusUser(step, user, own) {
  if (target === 'small') {
    turn(step, own, 'NATS_PASSWORD', 'NATS_SECOND_PASSWORD', password)
    nats[natsPasswordVariable(user)] = own.NATS_PASSWORD
    return
  }
  // The servers have both keys, so a user needs only one of the seeds.
  turn(step, own, 'NATS_NKEY_SEED', 'NATS_SECOND_NKEY_SEED', () => newNkey().seed)
  nats[nkeyVariable(user)] = issuerOf(own.NATS_NKEY_SEED)
  const second = `NATS_${environmentName(user)}_SECOND_NKEY`
  if (step === 'end') delete nats[second]
  else nats[second] = issuerOf(own.NATS_SECOND_NKEY_SEED)
}

function turnDatabasePassword(step, own) {
  const held = { first: passwordIn(own.DATABASE_URL), DATABASE_SECOND_PASSWORD: own.DATABASE_SECOND_PASSWORD }
  turn(step, held, 'first', 'DATABASE_SECOND_PASSWORD', password)
  own.DATABASE_URL = changeConnectionString(own.DATABASE_URL, { password: held.first })
  if (held.DATABASE_SECOND_PASSWORD) own.DATABASE_SECOND_PASSWORD = held.DATABASE_SECOND_PASSWORD
  else delete own.DATABASE_SECOND_PASSWORD
}

function turn(step, own, first, second, make) {
  if (step === 'begin') own[second] = make()
  else if (step === 'switch') [own[first], own[second]] = [own[second], own[first]]
  else delete own[second]
}

/** The first seals, all of them unseal. */
function turnSealingKeys(step, text) {
  const keys = text.split(',')
  const highest = Math.max(0, ...keys.map(key => Number.parseInt(key, 10) || 0))
  if (step === 'begin') return [...keys, newSealingKey(String(highest + 1))].join()
  if (step === 'switch') return [keys.at(-1), ...keys.slice(0, -1)].join()
  return keys[0]
}

function readSecrets(file) {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8')
  let items
  try {
    ;({ items } = JSON.parse(text))
  } catch {
    fail('--existing: that is not what `kubectl get secrets -o json` prints.')
  }
  const decoded = data =>
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])
  return new Map(
    items.map(({ metadata, data = {} }) => [
      metadata.name,
      { data: Object.fromEntries(decoded(data)), rotation: metadata.annotations?.['svc/rotation'] },
    ]),
  )
}

function readArguments() {
  try {
    const options = { existing: { type: 'string' }, rotate: { type: 'string' } }
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return fail(error.message)
  }
}

function nkeyVariable(user) {
  return `NATS_${environmentName(user)}_NKEY`
}

function passwordIn(url) {
  return url === undefined ? undefined : readConnectionString(url).password
}

/** Its driver knows neither several hosts nor `target_session_attrs` (prometheus-community/postgres_exporter#1344). */
function exporterUri(url) {
  return url
    .replace(/^postgres:\/\/([^,/?]*)(,[^/?]*)?/, '$1')
    .replace(/([?&])target_session_attrs=[^&]*&?/, '$1')
    .replace(/[?&]$/, '')
}

function withSslmode(uri) {
  return /[?&]sslmode=/.test(uri) ? uri : `${uri}${uri.includes('?') ? '&' : '?'}sslmode=disable`
}

function hostOf(url) {
  return url === undefined ? undefined : as('', '', url)
}

function as(username, secret, url) {
  return changeConnectionString(url, { user: username, password: secret })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
