// `npm run generate`: writes what follows from the manifest (libs/contract/src/manifest.ts) into the configuration
// of NATS, docker compose and Kubernetes. With --check it names outdated files, and fails.
import { readFileSync, writeFileSync } from 'node:fs'
import { compose } from './generate/compose.mjs'
import { services } from './generate/kubernetes.mjs'
import { natsConf } from './generate/nats-conf.mjs'

const root = new URL('../', import.meta.url)
const read = path => readFileSync(new URL(path, root), 'utf8')
/** Each file with the function that updates its text. */
const files = {
  'deploy/nats/nats.conf': natsConf,
  'docker-compose.yml': compose,
  'deploy/kubernetes/base/services.yaml': services,
}

const stale = Object.entries(files).flatMap(([path, make]) => {
  const file = new URL(path, root)
  const before = read(path)
  const after = make(before)
  return after === before ? [] : [{ path, file, after }]
})
if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is not what the manifest says: npm run generate`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const { path, file, after } of stale) {
    writeFileSync(file, after)
    console.log(`${path} written`)
  }
}
