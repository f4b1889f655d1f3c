import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import {
  kubectl,
  type Manifest,
  objectsIn,
  objectsOf,
  overlays,
  type Pod,
  podsOf,
  secretsOf,
} from '@svc/testing/deploy/kubernetes'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

/** Created by others: a certificate for the bus, and one for the ingress. */
const foreignSecrets = ['nats-tls', 'gateway-tls']
const scaled = ['gateway', ...serviceNames]

test.skipIf(!kubectl)('the namespace admits pods of the standard "restricted" only', async () => {
  const [namespace] = await objectsIn('kubernetes/cluster')
  expect(namespace).toMatchObject({ kind: 'Namespace', metadata: { name: 'svc' } })
  expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
})

test.skipIf(!kubectl)('the agent may do with MachineDeployments only what its code does', async () => {
  const [role, binding] = await objectsIn('kubernetes/pools')
  expect(role?.rules).toEqual([
    {
      apiGroups: ['cluster.x-k8s.io'],
      resources: ['machinedeployments'],
      verbs: ['get', 'list', 'watch', 'patch'],
    },
  ])
  expect(binding?.roleRef).toMatchObject({ kind: 'Role', name: role?.metadata.name })
  const objects = await objectsOf('cloudnative-pg')
  const agent = objects.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'compute-agent',
  )
  expect(binding?.subjects).toEqual([
    { kind: 'ServiceAccount', name: agent?.spec.template.spec.serviceAccountName, namespace: 'svc' },
  ])
})

/** Made by hand, so that it outlives the overlay. */
const backupClaim = parse(
  readFileSync(join(repoRoot, 'deploy/kubernetes/components/backup/claim.yaml'), 'utf8'),
).metadata.name

describe.skipIf(!kubectl).each(overlays)('%s', overlay => {
  let objects: Manifest[]
  let pods: Pod[]
  let cluster: Manifest[]
  beforeAll(async () => {
    objects = await objectsOf(overlay)
    cluster = await objectsIn('kubernetes/cluster')
    pods = podsOf(objects)
  })
  const named = (kind: string) =>
    objects.filter(object => object.kind === kind).map(({ metadata }) => metadata.name)

  test('a rollout can leave the gateway for last, and nothing else with it', () => {
    const last = objects.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'gateway')
    expect(last.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([['Deployment', 'gateway']])
  })

  const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...spec.containers]

  // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
  test('every pod meets the standard "restricted", with a read-only root file system', () => {
    expect(pods.length).toBeGreaterThan(5)
    for (const pod of pods) {
      const { securityContext, automountServiceAccountToken, hostNetwork, volumes = [] } = pod.spec
      expect(securityContext, pod.owner.metadata.name).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(securityContext.runAsUser).toBeGreaterThan(0)
      expect(automountServiceAccountToken).toBe(pod.owner.metadata.name === 'compute-agent')
      expect(hostNetwork).toBeUndefined()
      for (const volume of volumes) {
        const [kind] = Object.keys(volume).filter(key => key !== 'name')
        expect(['configMap', 'secret', 'emptyDir', 'persistentVolumeClaim']).toContain(kind)
      }
      for (const container of containersOf(pod)) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
  })

  test('every container requests what it needs, and has a memory limit but no CPU limit', () => {
    for (const pod of pods) {
      for (const { resources, image } of containersOf(pod)) {
        expect(resources).toEqual({
          requests: { cpu: expect.stringMatching(/^\d+m$/), memory: expect.stringMatching(/^\d+Mi$/) },
          limits: { memory: expect.stringMatching(/^\d+[MG]i$/) },
        })
        // Ours are set by digest when they are released: pin-images.mjs.
        expect(image).toMatch(/\bsvc-[a-z-]+:[\w.-]+$|:[\w.-]+@sha256:[0-9a-f]{64}$/)
        expect(image).not.toMatch(/:latest/)
      }
    }
  })

  test('bus and database have the same versions as in docker compose', () => {
    const { services } = parse(readFileSync(join(repoRoot, 'docker-compose.yml'), 'utf8'), { merge: true })
    for (const pod of pods.filter(({ owner }) => owner.kind === 'StatefulSet')) {
      for (const { name, image } of containersOf(pod))
        if (name !== 'exporter') expect(image).toBe(services[pod.name].image)
    }
  })

  test('everything is in one namespace, and all references resolve', () => {
    const secrets = [...secretsOf(overlay).keys(), ...foreignSecrets]
    for (const { metadata } of objects) expect(metadata.namespace, metadata.name).toBe('svc')
    for (const pod of pods) {
      const { serviceAccountName, volumes = [] } = pod.spec
      if (serviceAccountName) expect(named('ServiceAccount')).toContain(serviceAccountName)
      const claims: Manifest[] = pod.owner.spec.volumeClaimTemplates ?? []
      const present = [...volumes, ...claims.map(({ metadata }) => metadata)].map(({ name }) => name)
      for (const { volumeMounts = [], envFrom = [] } of containersOf(pod)) {
        for (const { name } of volumeMounts) expect(present).toContain(name)
        for (const { configMapRef, secretRef } of envFrom) {
          expect(configMapRef ? named('ConfigMap') : secrets).toContain((configMapRef ?? secretRef).name)
        }
      }
      for (const { configMap, secret, persistentVolumeClaim } of volumes) {
        if (persistentVolumeClaim)
          expect([...named('PersistentVolumeClaim'), backupClaim]).toContain(persistentVolumeClaim.claimName)
        if (configMap) expect(named('ConfigMap')).toContain(configMap.name)
        if (secret) expect(secrets).toContain(secret.secretName)
      }
    }
  })

  test('every selector selects the pods that it is named after, and they belong to their owner', () => {
    const selecting = objects.filter(({ kind }) => ['Service', 'PodDisruptionBudget'].includes(kind))
    for (const { metadata, spec } of selecting) {
      const selector: Record<string, string> = spec.selector.matchLabels ?? spec.selector
      const selected = pods.filter(({ labels }) =>
        Object.entries(selector).every(([key, value]) => labels[key] === value),
      )
      expect(selected.map(({ owner }) => owner.metadata.name)).toEqual([metadata.name])
    }
    for (const { owner, name, labels } of pods) {
      if (!['Job', 'CronJob'].includes(owner.kind))
        expect(labels).toMatchObject(owner.spec.selector.matchLabels)
      expect(labels['app.kubernetes.io/name']).toBe(name)
    }
  })

  test('the pods of all processes are alike, and their metrics are found', () => {
    const processes = pods.filter(({ labels }) => labels['app.kubernetes.io/component'] === 'process')
    const own = overlay === 'cloudnative-pg' ? [...scaled, 'compute-agent'] : scaled
    expect(processes.map(({ owner }) => owner.metadata.name).sort()).toEqual([...own].sort())
    const [first] = processes
    for (const { owner, spec } of processes) {
      expect(owner.spec.strategy).toEqual(first?.owner.spec.strategy)
      const [{ startupProbe, readinessProbe, livenessProbe, imagePullPolicy }] = spec.containers
      expect(first?.spec.containers[0]).toMatchObject({
        startupProbe,
        readinessProbe,
        livenessProbe,
        imagePullPolicy,
      })
      expect(spec.enableServiceLinks).toBe(false)
      expect(spec.serviceAccountName).toBe(owner.metadata.name)
    }
    const monitor = objects.find(
      ({ kind, metadata }) => kind === 'PodMonitor' && metadata.name === 'svc',
    )?.spec
    expect(monitor !== undefined).toBe(overlay === 'cloudnative-pg')
    for (const { labels, spec } of monitor ? processes : []) {
      expect(labels).toMatchObject(monitor.selector.matchLabels)
      const [{ port, path }] = monitor.podMetricsEndpoints
      expect(spec.containers[0].ports).toContainEqual({ name: port, containerPort: 9090 })
      expect(path).toBe('/metrics')
    }
  })

  test.runIf(overlay === 'cloudnative-pg').each([
    ['svc-nats', 'nats', 7777],
    ['svc-postgres', 'postgres-exporter', 9187],
  ])('%s finds the metrics of %s, under the name that the rules know', (monitor, name, containerPort) => {
    const found = objects.find(({ kind, metadata }) => kind === 'PodMonitor' && metadata.name === monitor)
    const { selector, podMetricsEndpoints } = (found as Manifest).spec
    const [{ port, relabelings }] = podMetricsEndpoints
    const selected = pods.filter(({ labels }) =>
      Object.entries(selector.matchLabels).every(([key, value]) => labels[key] === value),
    )
    expect(selected.map(pod => pod.name)).toEqual([name])
    expect(selected[0]?.spec.containers.at(-1).ports).toEqual([{ name: port, containerPort }])
    expect(relabelings).toContainEqual({ targetLabel: 'job', replacement: monitor })
    // Also for a plain Prometheus.
    const { scrape_configs } = parse(
      readFileSync(join(repoRoot, 'deploy/observability/prometheus.yml'), 'utf8'),
    )
    const job = scrape_configs.find((one: { job_name: string }) => one.job_name === monitor)
    expect(job.relabel_configs[0].regex).toBe(`${name};${port}`)
  })

  test('a node that is full keeps the bus and the database, then the processes', () => {
    const classes = cluster.filter(({ kind }) => kind === 'PriorityClass')
    const value = (name?: string) => classes.find(({ metadata }) => metadata.name === name)?.value ?? 0
    for (const { owner, name, spec } of pods) {
      const wanted = { StatefulSet: 'svc-state', Job: undefined }[owner.kind as string] ?? 'svc-process'
      const none = owner.kind === 'Job' || name === 'admin'
      expect(spec.priorityClassName, name).toBe(none ? undefined : wanted)
    }
    expect(value('svc-state')).toBeGreaterThan(value('svc-process'))
    expect(value('svc-process')).toBeGreaterThan(value())
  })

  test('a second release is applied while the Jobs of the first are there: their names have its tag', () => {
    const jobs = objects.filter(({ kind }) => kind === 'Job')
    expect(jobs.length).toBeGreaterThan(0)
    for (const { metadata, spec } of jobs) {
      const [, tag] = spec.template.spec.containers[0].image.split(':')
      expect(metadata.name).toMatch(new RegExp(`^[a-z-]+\\.${tag.replaceAll('.', '\\.')}$`))
      // For `kubectl wait`.
      expect(metadata.labels?.['app.kubernetes.io/version']).toBe(tag)
    }
  })

  test('nothing that is deleted with the overlay takes a claim of the bus or the database with it', () => {
    expect(named('Namespace')).toEqual([])
    expect(named('PersistentVolumeClaim')).toEqual([])
    for (const { spec } of objects.filter(({ kind }) => kind === 'StatefulSet')) {
      expect(spec.persistentVolumeClaimRetentionPolicy).toEqual({
        whenDeleted: 'Retain',
        whenScaled: 'Retain',
      })
    }
  })

  test('the garbage collector of NATS knows nine tenths of the limit', () => {
    const nats = pods.find(({ name }) => name === 'nats')?.spec.containers[0]
    const bytes = (text: string) => Number.parseInt(text, 10) * (/Gi/.test(text) ? 1024 : 1)
    const limit = nats.env.find(({ name }: { name: string }) => name === 'GOMEMLIMIT').value
    expect(limit).toMatch(/^\d+MiB$/)
    expect(bytes(limit) / bytes(nats.resources.limits.memory)).toBeCloseTo(0.9, 2)
  })

  test.each(scaled)('%s scales automatically, is spread over nodes, and is never evicted entirely', name => {
    const of = (kind: string) =>
      objects.find(object => object.kind === kind && object.metadata.name === name)?.spec
    const { replicas, strategy, template } = of('Deployment')
    // Two that both set the number of replicas would undo each other.
    expect(replicas).toBeUndefined()
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
    expect(of('HorizontalPodAutoscaler').scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name,
    })
    const { scaleUp, scaleDown } = of('HorizontalPodAutoscaler').behavior
    expect(scaleDown.policies).toEqual([{ type: 'Pods', value: 1, periodSeconds: 60 }])
    expect(scaleDown.stabilizationWindowSeconds).toBeGreaterThan(scaleUp.stabilizationWindowSeconds)
    expect(of('HorizontalPodAutoscaler').minReplicas).toBe(overlay === 'small' ? 1 : 2)
    expect(of('PodDisruptionBudget').maxUnavailable).toBe(1)
    const spread: { topologyKey: string; matchLabelKeys: string[] }[] =
      template.spec.topologySpreadConstraints
    expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ])
    for (const { matchLabelKeys } of spread) {
      for (const key of matchLabelKeys)
        if (key !== 'pod-template-hash') expect(template.metadata.labels).toHaveProperty([key])
    }
  })
})
