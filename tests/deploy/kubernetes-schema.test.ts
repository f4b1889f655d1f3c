import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { kubectl, type Manifest, objectsIn, objectsOf, variants } from '@svc/testing/deploy/kubernetes'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

/** Types generated from the API's own description. */
const modules: Record<string, string> = {
  v1: 'kubernetes-types/core/v1',
  'apps/v1': 'kubernetes-types/apps/v1',
  'autoscaling/v2': 'kubernetes-types/autoscaling/v2',
  'batch/v1': 'kubernetes-types/batch/v1',
  'networking.k8s.io/v1': 'kubernetes-types/networking/v1',
  'policy/v1': 'kubernetes-types/policy/v1',
  'rbac.authorization.k8s.io/v1': 'kubernetes-types/rbac/v1',
  'scheduling.k8s.io/v1': 'kubernetes-types/scheduling/v1',
  'barmancloud.cnpg.io/v1': './operators',
  'external-secrets.io/v1': './operators',
}
/** CRDs without a package of types. */
const operators = `
import { ObjectMeta } from 'kubernetes-types/meta/v1'
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
`
/** And those generated from the operators' CRDs, at the versions of libs/testing/crds/package.json. */
const crds = join(repoRoot, 'libs/testing/crds/node_modules/@kubernetes-models')
const packages: Record<string, string> = {
  'postgresql.cnpg.io': 'cloudnative-pg',
  'cert-manager.io': 'cert-manager',
  'monitoring.coreos.com': 'prometheus-operator',
  'gateway.networking.k8s.io': 'gateway-api',
}
const hasCrds = existsSync(crds)
if (!hasCrds) {
  process.stderr.write(
    'There are no types of custom resources: run "npm ci" in libs/testing/crds. Schemas are not checked.\n',
  )
}

function typeOf({ apiVersion, kind }: Manifest): string {
  const module = modules[apiVersion]
  if (module) return `import('${module}').${kind}`
  const found = packages[apiVersion.split('/')[0] ?? '']
  if (!found) throw new Error(`Which schema has ${apiVersion} ${kind}?`)
  return `import('@kubernetes-models/${found}/${apiVersion}/${kind}').I${kind}`
}

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
      paths: { 'kubernetes-types/*': [types], '@kubernetes-models/*': [join(crds, '*')] },
    }
    await writeFile(join(folder, 'operators.ts'), operators)
    const names = Object.keys(groups)
    for (const [name, objects] of Object.entries(groups)) {
      const literals = objects.map(
        (object, index) => `export const o${index}: ${typeOf(object)} = ${JSON.stringify(object)}\n`,
      )
      await writeFile(join(folder, `${name}.ts`), literals.join(''))
    }
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

describe.skipIf(!kubectl || !hasCrds)('the schemas of Kubernetes', () => {
  let groups: Groups
  let complaints: Record<string, string[]>
  beforeAll(async () => {
    const rendered = variants.map(async variant => [variant, await objectsOf(variant)] as const)
    groups = Object.fromEntries(await Promise.all(rendered))
    for (const { kind, spec } of Object.values(groups).flat()) {
      // A field of cloudnative-pg 1.26, for which there is no package of types yet.
      if (kind === 'Cluster') for (const plugin of spec.plugins ?? []) delete plugin.isWALArchiver
    }
    groups = {
      ...groups,
      elsewhere: await appliedElsewhere(),
      wrong: brokenVariantsOf(groups['cloudnative-pg'] ?? []),
    }
    complaints = await complaintsOf(groups)
  })

  test.each(variants)('%s: every object matches its schema, without unknown keys', variant => {
    expect(groups[variant]?.length).toBeGreaterThan(40)
    expect(complaints[variant]).toEqual([])
  })

  test("the same for what is applied elsewhere: the namespace and the priorities, the agent's permissions, and the rules and dashboard for Prometheus and Grafana", () => {
    expect(groups.elsewhere?.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'ConfigMap',
      'Namespace',
      'PriorityClass',
      'PriorityClass',
      'PrometheusRule',
      'Role',
      'RoleBinding',
    ])
    expect(complaints.elsewhere).toEqual([])
  })

  test('an unknown key, a value of the wrong type and a missing field are refused, however deep', () => {
    const found = complaints.wrong ?? []
    expect(groups.wrong).toHaveLength(10)
    for (let line = 1; line <= 10; line++) {
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
    ...(await objectsIn('kubernetes/cluster')),
    ...(await objectsIn('kubernetes/pools')),
    ...(await objectsIn('observability')),
    parse(String(rule)) as Manifest,
  ]
}

/** Ten objects, each wrong in a different way. */
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
    broken('Cluster', object => Object.assign(object.spec, { instance: 3 })),
    broken('Certificate', object => Object.assign(object.spec, { dnsNames: 'nats' })),
    broken('PodMonitor', object => Object.assign(object.spec.podMetricsEndpoints[0], { intervall: '15s' })),
    broken('HTTPRoute', object => Object.assign(object.spec.rules[0].backendRefs[0], { port: 'http' })),
  ]
}
