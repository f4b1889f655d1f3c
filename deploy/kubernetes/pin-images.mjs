// Makes an overlay that names the images by digest, so that what runs is what was signed, whatever a tag is moved to:
//
//   node deploy/kubernetes/pin-images.mjs production < images.txt
//   kubectl apply -k deploy/kubernetes/overlays/production-by-digest
//
// images.txt is part of a release: a line for each process, such as registry.example.com/svc-gateway@sha256:… . docs/running/release.md
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [overlay] = process.argv.slice(2)
if (!overlay) {
  console.error('usage: node deploy/kubernetes/pin-images.mjs OVERLAY < images.txt')
  process.exit(64)
}
const folder = name => fileURLToPath(new URL(`overlays/${name}`, import.meta.url))

const pinned = new Map()
for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const [, newName, process_, digest] = /^(\S*\bsvc-([a-z-]+))@(sha256:[0-9a-f]{64})$/.exec(line) ?? []
  if (!digest) fail(`This is not an image of ours with its digest: ${line}`)
  pinned.set(process_, { newName, digest })
}

// Names after the overlay has set its own registry and tag.
const rendered = execFileSync(process.env.KUBECTL ?? 'kubectl', ['kustomize', folder(overlay)], {
  encoding: 'utf8',
  maxBuffer: 16 * 1024 * 1024,
})
const named = new Map(
  [...rendered.matchAll(/^[ -]*image: ((?:\S+\/)?svc-([a-z-]+)):\S+$/gm)].map(([, name, process_]) => [
    name,
    process_,
  ]),
)
if (named.size === 0) fail(`The overlay ${overlay} runs no image of ours that is named by a tag.`)

const images = [...named].map(([name, process_]) => {
  const { newName, digest } = pinned.get(process_) ?? fail(`There is no digest for svc-${process_}.`)
  return `  - { name: ${name}, newName: ${newName}, digest: ${digest} }\n`
})
mkdirSync(folder(`${overlay}-by-digest`), { recursive: true })
writeFileSync(
  `${folder(`${overlay}-by-digest`)}/kustomization.yaml`,
  `# Written by pin-images.mjs.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [../${overlay}]
images:
${images.join('')}`,
)

function fail(message) {
  console.error(message)
  process.exit(1)
}
