import {
  busUsers,
  databasePasswordVariable,
  entries,
  environmentName,
  natsPasswordVariable,
  memoryLimit,
} from '@svc/contract/manifest'
import { withSection } from './section.mjs'

export function compose(text) {
  const required = variable => `      ${variable}: $\{${variable}:?}`
  const sections = {
    'passwords of the bus': busUsers.map(natsPasswordVariable).map(required),
    'passwords of the database': entries.map(([name]) => databasePasswordVariable(name)).map(required),
    services: entries.flatMap(serviceLines),
    'what the gateway waits for': entries.map(([name]) => `      ${name}: { condition: service_healthy }`),
  }
  return Object.entries(sections).reduce((made, [name, lines]) => withSection(made, name, lines), text)
}

function serviceLines([name, { schema, secrets, givenSecrets = [], settings = {} }]) {
  const environment = {
    NATS_URL: 'nats://nats:4222',
    NATS_USER: name,
    NATS_PASSWORD: `$\{${natsPasswordVariable(name)}}`,
    DATABASE_URL: `postgres://${schema}:$\{${databasePasswordVariable(name)}}@postgres:5432/svc`,
    ...Object.fromEntries(secrets.map(secret => [secret, `$\{${secretVariable(name, secret)}:?}`])),
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, `$\{${key}:-${value}}`])),
    ...Object.fromEntries(givenSecrets.map(key => [key, `$\{${key}:-}`])),
  }
  return [
    `  ${name}:`,
    '    <<: *service',
    `    build: { <<: *build, args: { SERVICE: ${name} } }`,
    // As in a pod: Compose writes 256m for 256Mi.
    `    mem_limit: ${memoryLimit.replace('i', '').toLowerCase()}`,
    '    environment:',
    ...Object.entries(environment).map(([key, value]) => `      ${key}: ${value}`),
    '',
  ]
}

/** Each service has its own keys for secrets at rest; NATS has the one issuer's public key. */
const secretVariable = (name, secret) =>
  secret === 'SEALING_KEYS' ? `${environmentName(name)}_SEALING_KEYS` : secret
