/** What deploy/kubernetes comes to, as Kubernetes would be given it. */
import { createAgentSecret } from '@svc/runtime/credential'
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { parseAllDocuments } from 'yaml'
import { findKubectl, kustomize } from './kubectl.ts'

/** As far as the tests look into it. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: whether the rest is right, the schemas of Kubernetes say
  [field: string]: any
}

export const overlays = ['small', 'production', 'cloudnative-pg'] as const
export type Overlay = (typeof overlays)[number]
/** And `small` with every component that it offers. */
export const variants = [...overlays, 'small-complete'] as const
export type Variant = (typeof variants)[number]

/** Undefined where there is no kubectl, which has been said then. */
export const kubectl = await findKubectl()
if (!kubectl) {
  process.stderr.write(
    'There is no kubectl: the tests of deploy/kubernetes are skipped. Run "npm ci" in libs/testing/kubectl (linux-x64), ' +
      'put kubectl on PATH, or name it in SVC_KUBECTL.\n',
  )
}

/** What kubectl renders. `cloudnative-pg` is the overlay `production` with every component that it offers. */
async function render(variant: Variant): Promise<string> {
  const own = await mkdtemp(join(tmpdir(), 'svc-kubernetes-'))
  try {
    await cp(join(repoRoot, 'deploy'), own, { recursive: true })
    const complete = { 'cloudnative-pg': 'production', 'small-complete': 'small' }[variant as string]
    const folder = complete ?? variant
    const file = join(own, 'kubernetes/overlays', folder, 'kustomization.yaml')
    if (complete) {
      const text = await readFile(file, 'utf8')
      await writeFile(file, text.replaceAll('  # - ../../components/', '  - ../../components/'))
    }
    return await kustomize(kubectl ?? '', join(own, 'kubernetes/overlays', folder))
  } finally {
    await rm(own, { recursive: true })
  }
}

const rendered = new Map<Variant, Promise<Manifest[]>>()

/** The same as objects, made once for all files of a worker. */
export async function objectsOf(variant: Variant): Promise<Manifest[]> {
  const objects = rendered.get(variant) ?? render(variant).then(parsed)
  rendered.set(variant, objects)
  return structuredClone(await objects)
}

const parsed = (text: string) => parseAllDocuments(text).map(document => document.toJS() as Manifest)

/** What another folder below deploy comes to. */
export async function objectsIn(folder: string): Promise<Manifest[]> {
  return parsed(await kustomize(kubectl ?? '', join(repoRoot, 'deploy', folder)))
}

const madeSecrets = new Map<Overlay, ReturnType<typeof makeSecrets>>()

/** The Secrets that go with it, by name; made once for all files of a worker. */
export function secretsOf(overlay: Overlay): Map<string, Record<string, string>> {
  const secrets = madeSecrets.get(overlay) ?? makeSecrets(overlay)
  madeSecrets.set(overlay, secrets)
  return secrets
}

function makeSecrets(overlay: Overlay): Map<string, Record<string, string>> {
  const script = join(repoRoot, 'deploy/kubernetes/make-secrets.mjs')
  const text = execFileSync(process.execPath, [script, overlay], {
    env: { DATABASE: 'postgres://db.example.com:5432/svc', MAIL_URL: 'smtps://user:pw@mail.example.com' },
    encoding: 'utf8',
  })
  const { items } = JSON.parse(text) as {
    items: { metadata: { name: string }; data: Record<string, string> }[]
  }
  const decoded = (data: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    )
  const made = new Map(items.map(({ metadata, data }) => [metadata.name, decoded(data)]))
  // The operator's own, once there is a cluster: docs/inside/clusters.md.
  const AGENT_SECRETS = `clus_00000000000000000000000000=${createAgentSecret()}`
  return overlay === 'cloudnative-pg' ? made.set('compute-agent', { AGENT_SECRETS }) : made
}

export interface Pod {
  /** What makes it: a Deployment, a StatefulSet, a Job or a CronJob. */
  readonly owner: Manifest
  /** That of its owner, without a release's tag. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly spec: any
}

/** One of each kind. */
export function podsOf(objects: readonly Manifest[]): Pod[] {
  return objects
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job', 'CronJob'].includes(kind))
    .map(owner => {
      const { metadata, spec } = (owner.spec.jobTemplate?.spec ?? owner.spec).template
      return { owner, name: owner.metadata.name.split('.')[0] ?? '', labels: metadata.labels, spec }
    })
}

interface Container {
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string }
    readonly secretRef?: { readonly name: string }
  }[]
}

/** The environment of that container. Throws where a ConfigMap or Secret is not there. */
export function envOf(
  objects: readonly Manifest[],
  secrets: ReadonlyMap<string, Record<string, string>>,
  { env = [], envFrom = [] }: Container,
): Record<string, string> {
  const sources = envFrom.map(({ configMapRef, secretRef }) => {
    const map = objects.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name,
    )
    const found: Record<string, string> | undefined = map?.data ?? secrets.get(secretRef?.name ?? '')
    if (!found) throw new Error(`There is no ${configMapRef?.name ?? secretRef?.name}.`)
    return found
  })
  return Object.assign({}, ...sources, Object.fromEntries(env.map(({ name, value = '' }) => [name, value])))
}
