// `npm run generate`: writes what follows from the manifest (libs/contract/src/manifest.ts) into the configuration
// of NATS, docker compose and Kubernetes, the table of events into its page, and the first files of a new service's
// package. With --check it names outdated files, and fails.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { serviceNames } from '@svc/contract/manifest'
import { compose } from './generate/compose.mjs'
import { services } from './generate/kubernetes.mjs'
import { natsConf } from './generate/nats-conf.mjs'

const root = new URL('../', import.meta.url)
const read = path => readFileSync(new URL(path, root), 'utf8')
/** Initial files of a service without a package; from then on they are the service's own. */
const begin = name => [
  `services/${name}/package.json`,
  before => before ?? read('services/compute/package.json').replace('@svc/compute', `@svc/${name}`),
]
/** Each file with the function that updates its text. */
const files = {
  'deploy/nats/nats.conf': natsConf,
  'docker-compose.yml': compose,
  'deploy/kubernetes/base/services.yaml': services,
  ...Object.fromEntries(serviceNames.map(begin)),
}

const stale = Object.entries(files).flatMap(([path, make]) => {
  const file = new URL(path, root)
  const before = existsSync(file) ? read(path) : undefined
  const after = make(before)
  return after === before ? [] : [{ path, file, after }]
})
if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is not what the manifest says: npm run generate`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const { path, file, after } of stale) {
    mkdirSync(new URL('./', file), { recursive: true })
    writeFileSync(file, after)
    console.log(`${path} written`)
  }
}
