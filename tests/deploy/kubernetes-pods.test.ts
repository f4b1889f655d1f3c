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

describe.skipIf(!kubectl).each(overlays)('%s', overlay => {
  let objects: Manifest[]
  let pods: Pod[]
  beforeAll(async () => {
    objects = await objectsOf(overlay)
    pods = podsOf(objects)
  })
  const named = (kind: string) =>
    objects.filter(object => object.kind === kind).map(({ metadata }) => metadata.name)
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
    const [namespace] = objects.filter(({ kind }) => kind === 'Namespace')
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
  })

  test('every container requests what it needs, and has a memory limit but no CPU limit', () => {
    for (const pod of pods) {
      for (const { resources, image } of containersOf(pod)) {
        expect(resources).toEqual({
          requests: { cpu: expect.stringMatching(/^\d+m$/), memory: expect.stringMatching(/^\d+Mi$/) },
          limits: { memory: expect.stringMatching(/^\d+[MG]i$/) },
        })
        expect(image).toMatch(/:[\w.-]+$/)
        expect(image).not.toMatch(/:latest$/)
      }
    }
  })

  test('bus and database have the same versions as in docker compose', () => {
    const { services } = parse(readFileSync(join(repoRoot, 'docker-compose.yml'), 'utf8'), { merge: true })
    for (const pod of pods.filter(({ owner }) => owner.kind === 'StatefulSet')) {
      for (const { image } of containersOf(pod)) expect(image).toBe(services[pod.owner.metadata.name].image)
    }
  })

  test('everything is in one namespace, and all references resolve', () => {
    const secrets = [...secretsOf(overlay).keys(), ...foreignSecrets]
    for (const { kind, metadata } of objects) {
      if (kind !== 'Namespace') expect(metadata.namespace, metadata.name).toBe('svc')
    }
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
          expect(named('PersistentVolumeClaim')).toContain(persistentVolumeClaim.claimName)
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
    for (const { owner, labels } of pods) {
      if (!['Job', 'CronJob'].includes(owner.kind))
        expect(labels).toMatchObject(owner.spec.selector.matchLabels)
      expect(labels['app.kubernetes.io/name']).toBe(owner.metadata.name)
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
    const monitor = objects.find(({ kind }) => kind === 'PodMonitor')?.spec
    expect(monitor !== undefined).toBe(overlay === 'cloudnative-pg')
    for (const { labels, spec } of monitor ? processes : []) {
      expect(labels).toMatchObject(monitor.selector.matchLabels)
      const [{ port, path }] = monitor.podMetricsEndpoints
      expect(spec.containers[0].ports).toContainEqual({ name: port, containerPort: 9090 })
      expect(path).toBe('/metrics')
    }
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
