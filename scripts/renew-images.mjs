// `node scripts/renew-images.mjs`, in the root folder: pins other people's images to the current digests of their
// tags, wherever they are named. Asks their registries by `docker buildx`, with its configuration.
// docs/running/release.md
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const manifests = 'deploy/kubernetes'
const files = [
  ...['deploy/Dockerfile', 'docker-compose.yml'],
  ...readdirSync(manifests, { recursive: true })
    .filter(path => path.endsWith('.yaml'))
    .map(path => join(manifests, path)),
]
const named = /(\bimage(?:Name)?: |^ARG \w+_IMAGE=)([\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?(?=\s)/gm

const digests = new Map()
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  const renewed = text.replace(named, (_, before, image) => `${before}${image}@${digestOf(image)}`)
  if (renewed !== text) writeFileSync(file, renewed)
}
for (const [image, digest] of digests) console.log(`${image}@${digest}`)

/** The digest of the index of all platforms. */
function digestOf(image) {
  if (digests.has(image)) return digests.get(image)
  const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
  const digest = execFileSync('docker', inspect, { encoding: 'utf8' }).trim()
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) {
    console.error(`docker says no digest of ${image}, but: ${digest}`)
    process.exit(1)
  }
  digests.set(image, digest)
  return digest
}
