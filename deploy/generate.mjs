// `npm run generate`: writes what follows from the manifest (libs/contract/src/manifest.ts) into the files that NATS, docker
// compose and Kubernetes read. With --check it names those that are not as it would write them, and fails.
import { readFileSync, writeFileSync } from 'node:fs'
import { compose } from './generate/compose.mjs'
import { migrationJobs, services } from './generate/kubernetes.mjs'
import { natsConf } from './generate/nats-conf.mjs'

const root = new URL('../', import.meta.url)
/** Each file with what makes its text of the one before. */
const files = {
  'deploy/nats/nats.conf': natsConf,
  'docker-compose.yml': compose,
  'deploy/kubernetes/base/services.yaml': services,
  'deploy/kubernetes/components/migrate/jobs.yaml': migrationJobs,
}

const stale = Object.entries(files).flatMap(([path, make]) => {
  const file = new URL(path, root)
  const before = readFileSync(file, 'utf8')
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
