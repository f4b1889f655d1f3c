import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { kubectl, type Manifest, objectsIn, objectsOf, overlays } from '@svc/testing/deploy/kubernetes'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

/** Types generated from the API's own description. For the operators, the documented fields that we use. */
const modules: Record<string, string> = {
  v1: 'kubernetes-types/core/v1',
  'apps/v1': 'kubernetes-types/apps/v1',
  'autoscaling/v2': 'kubernetes-types/autoscaling/v2',
  'batch/v1': 'kubernetes-types/batch/v1',
  'networking.k8s.io/v1': 'kubernetes-types/networking/v1',
  'policy/v1': 'kubernetes-types/policy/v1',
  'rbac.authorization.k8s.io/v1': 'kubernetes-types/rbac/v1',
  'postgresql.cnpg.io/v1': './operators',
  'barmancloud.cnpg.io/v1': './operators',
  'external-secrets.io/v1': './operators',
  'cert-manager.io/v1': './operators',
  'monitoring.coreos.com/v1': './operators',
}
const operators = `
import { ObjectMeta } from 'kubernetes-types/meta/v1'
import { LocalObjectReference, ResourceRequirements } from 'kubernetes-types/core/v1'
type Labels = { [name: string]: string }
export interface PodMonitor {
  apiVersion: 'monitoring.coreos.com/v1'
  kind: 'PodMonitor'
  metadata: ObjectMeta
  spec: {
    selector: { matchLabels?: Labels }
    podMetricsEndpoints: {
      port?: string
      path?: string
      interval?: string
      relabelings?: { action?: string; sourceLabels?: string[]; regex?: string; targetLabel?: string; replacement?: string }[]
    }[]
  }
}
export interface PrometheusRule {
  apiVersion: 'monitoring.coreos.com/v1'
  kind: 'PrometheusRule'
  metadata: ObjectMeta
  spec: {
    groups: {
      name: string
      interval?: string
      rules: { alert?: string; record?: string; expr: string; for?: string; labels?: Labels; annotations?: Labels }[]
    }[]
  }
}
export interface ScheduledBackup {
  apiVersion: 'postgresql.cnpg.io/v1'
  kind: 'ScheduledBackup'
  metadata: ObjectMeta
  spec: {
    schedule: string
    immediate?: boolean
    backupOwnerReference?: 'none' | 'self' | 'cluster'
    cluster: LocalObjectReference
    method?: 'plugin' | 'volumeSnapshot' | 'barmanObjectStore'
    pluginConfiguration?: { name: string }
  }
}
export interface ObjectStore {
  apiVersion: 'barmancloud.cnpg.io/v1'
  kind: 'ObjectStore'
  metadata: ObjectMeta
  spec: {
    retentionPolicy?: string
    configuration: {
      destinationPath: string
      endpointURL?: string
      s3Credentials?: { accessKeyId: { name: string; key: string }; secretAccessKey: { name: string; key: string } }
      wal?: { compression?: 'gzip'; encryption?: 'AES256' }
      data?: { compression?: 'gzip'; encryption?: 'AES256' }
    }
  }
}
export interface ExternalSecret {
  apiVersion: 'external-secrets.io/v1'
  kind: 'ExternalSecret'
  metadata: ObjectMeta
  spec: {
    refreshInterval?: string
    secretStoreRef: { kind: 'SecretStore' | 'ClusterSecretStore'; name: string }
    target: { name: string }
    dataFrom: { extract: { key: string } }[]
  }
}
export interface Cluster {
  apiVersion: 'postgresql.cnpg.io/v1'
  kind: 'Cluster'
  metadata: ObjectMeta
  spec: {
    instances: number
    imageName?: string
    enableSuperuserAccess?: boolean
    superuserSecret?: LocalObjectReference
    postgresql?: {
      parameters?: { [name: string]: string }
      synchronous?: { method: 'any' | 'first'; number: number }
    }
    affinity?: { podAntiAffinityType?: 'preferred' | 'required'; topologyKey?: string }
    storage?: { size?: string; storageClass?: string }
    resources?: ResourceRequirements
    plugins?: { name: string; isWALArchiver?: boolean; parameters?: Labels }[]
  }
}
export interface Issuer {
  apiVersion: 'cert-manager.io/v1'
  kind: 'Issuer'
  metadata: ObjectMeta
  spec: { selfSigned: { crlDistributionPoints?: string[] } } | { ca: { secretName: string } }
}
export interface Certificate {
  apiVersion: 'cert-manager.io/v1'
  kind: 'Certificate'
  metadata: ObjectMeta
  spec: {
    isCA?: boolean
    commonName?: string
    secretName: string
    duration?: string
    renewBefore?: string
    privateKey?: {
      algorithm?: 'RSA' | 'ECDSA' | 'Ed25519'
      size?: number
      rotationPolicy?: 'Never' | 'Always'
    }
    usages?: ('digital signature' | 'server auth' | 'client auth')[]
    dnsNames?: string[]
    issuerRef: { kind: 'Issuer' | 'ClusterIssuer'; name: string }
  }
}
`

type Groups = Record<string, readonly Manifest[]>

/**
 * The compiler's objections to each group: a literal may not have a property that its type lacks, at any depth. It
 * checks all groups at once, since most of its time goes into the types.
 */
async function complaintsOf(groups: Groups): Promise<Record<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-schema-'))
  try {
    const types = join(repoRoot, 'node_modules/kubernetes-types/*')
    const compilerOptions = {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      module: 'preserve',
      types: [],
      paths: { 'kubernetes-types/*': [types] },
    }
    const names = Object.keys(groups)
    for (const [name, objects] of Object.entries(groups)) {
      const literals = objects.map(({ apiVersion, kind, ...rest }, index) => {
        const module = modules[apiVersion]
        if (!module) throw new Error(`Which schema has ${apiVersion} ${kind}?`)
        return `export const o${index}: import('${module}').${kind} = ${JSON.stringify({ apiVersion, kind, ...rest })}\n`
      })
      await writeFile(join(folder, `${name}.ts`), literals.join(''))
    }
    await writeFile(join(folder, 'operators.ts'), operators)
    const files = names.map(name => `${name}.ts`)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const tsc = join(repoRoot, 'node_modules/typescript/bin/tsc')
    const output = await new Promise<string>(resolve => {
      const options = { cwd: folder }
      execFile(process.execPath, [tsc, '--pretty', 'false'], options, (_error, stdout, stderr) => {
        resolve(stdout + stderr)
      })
    })
    const lines = output.split('\n').filter(line => line !== '')
    const known = lines.filter(
      line => names.some(name => line.startsWith(`${name}.ts(`)) || line.startsWith(' '),
    )
    // Errors of the compiler itself, or in the types.
    if (known.length < lines.length) throw new Error(output)
    return Object.fromEntries(names.map(name => [name, lines.filter(line => line.startsWith(`${name}.ts(`))]))
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.skipIf(!kubectl)('the schemas of Kubernetes', () => {
  let groups: Groups
  let complaints: Record<string, string[]>
  beforeAll(async () => {
    const rendered = overlays.map(async overlay => [overlay, await objectsOf(overlay)] as const)
    groups = Object.fromEntries(await Promise.all(rendered))
    groups = {
      ...groups,
      elsewhere: await appliedElsewhere(),
      wrong: brokenVariantsOf(groups.production ?? []),
    }
    complaints = await complaintsOf(groups)
  })

  test.each(overlays)('%s: every object matches its schema, without unknown keys', overlay => {
    expect(groups[overlay]?.length).toBeGreaterThan(40)
    expect(complaints[overlay]).toEqual([])
  })

  test("the same for what is applied elsewhere: the agent's permissions, and the rules and dashboard for Prometheus and Grafana", () => {
    expect(groups.elsewhere?.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'ConfigMap',
      'PrometheusRule',
      'Role',
      'RoleBinding',
    ])
    expect(complaints.elsewhere).toEqual([])
  })

  test('an unknown key, a value of the wrong type and a missing field are refused, however deep', () => {
    const found = complaints.wrong ?? []
    expect(groups.wrong).toHaveLength(6)
    for (let line = 1; line <= 6; line++) {
      expect(
        found.filter(text => text.startsWith(`wrong.ts(${line},`)),
        `${line}`,
      ).not.toEqual([])
    }
    expect(found.join()).toContain(`'"readOnlyRoot"' does not exist in type 'SecurityContext'`)
  })
})

async function appliedElsewhere(): Promise<Manifest[]> {
  const rule = execFileSync(process.execPath, [
    join(repoRoot, 'deploy/observability/make-prometheus-rule.mjs'),
  ])
  return [
    ...(await objectsIn('kubernetes/pools')),
    ...(await objectsIn('observability')),
    parse(String(rule)) as Manifest,
  ]
}

/** Six objects, each wrong in a different way. */
function brokenVariantsOf(objects: readonly Manifest[]): Manifest[] {
  const broken = (kind: string, breakIt: (object: Manifest) => void) => {
    const object = structuredClone(objects.find(one => one.kind === kind)) as Manifest
    breakIt(object)
    return object
  }
  const container = (object: Manifest) => object.spec.template.spec.containers[0]
  return [
    broken('Deployment', object => Object.assign(container(object).securityContext, { readOnlyRoot: true })),
    broken('Deployment', object => Object.assign(object.spec.template.spec, { hostname: 7 })),
    broken('StatefulSet', object => delete object.spec.serviceName),
    broken('NetworkPolicy', object => Object.assign(object.spec, { podSelectors: {} })),
    broken('HorizontalPodAutoscaler', object => Object.assign(object.spec, { maxReplicas: '10' })),
    broken('Ingress', object => Object.assign(object, { kind: 'Ingres' })),
  ]
}
