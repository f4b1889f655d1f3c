/** Who may reach whom, evaluated from the policies as Kubernetes does: a connection passes only if both ends allow it. */
import { serviceNames } from '@svc/contract/manifest'
import { kubectl, type Manifest, objectsOf, overlays, podsOf } from '@svc/testing/deploy/kubernetes'
import { describe, expect, test } from 'vitest'

type Labels = Readonly<Record<string, string>>
interface Peer {
  readonly podSelector?: { readonly matchLabels?: Labels }
  readonly namespaceSelector?: { readonly matchLabels: Labels }
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] }
}
interface Rule {
  readonly to?: readonly Peer[]
  readonly from?: readonly Peer[]
  readonly ports: readonly { readonly port: number | string; readonly protocol?: string }[]
}
interface Pod {
  readonly name: string
  readonly labels: Labels
  readonly ports: Labels
}

const matches = (selector: { matchLabels?: Labels } | undefined, labels: Labels) =>
  selector !== undefined &&
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value)

/** `a → b:port` for every allowed connection. */
function arrows(policies: readonly Manifest[], pods: readonly Pod[]): string[] {
  const rulesFor = (pod: Pod, direction: 'ingress' | 'egress'): Rule[] =>
    policies
      .filter(({ spec }) => matches(spec.podSelector, pod.labels))
      .flatMap(({ spec }) => (spec[direction] ?? []) as Rule[])
  const inside = ({ podSelector, namespaceSelector }: Peer) =>
    namespaceSelector ? [] : pods.filter(({ labels }) => matches(podSelector, labels))
  const accepts = (to: Pod, from: Pod, port: string) =>
    rulesFor(to, 'ingress').some(
      rule =>
        rule.ports.some(one => (to.ports[one.port] ?? String(one.port)) === port) &&
        rule.from?.some(peer => inside(peer).includes(from)),
    )

  const open = pods.flatMap(pod => [
    ...rulesFor(pod, 'egress').flatMap(({ to = [{}], ports }) =>
      to.flatMap(peer =>
        ports.flatMap(({ port }) =>
          peer.podSelector && !peer.namespaceSelector
            ? inside(peer).map(other =>
                accepts(other, pod, String(port))
                  ? `${pod.name} → ${other.name}:${port}`
                  : `${pod.name} is refused by ${other.name}:${port}`,
              )
            : [`${pod.name} → ${outside(peer)}:${port}`],
        ),
      ),
    ),
    ...rulesFor(pod, 'ingress').flatMap(({ from = [{}], ports }) =>
      from
        .filter(peer => inside(peer).length === 0)
        .flatMap(peer =>
          ports.map(({ port }) => `${outside(peer)} → ${pod.name}:${pod.ports[port] ?? port}`),
        ),
    ),
  ])
  return [...new Set(open)].sort()
}

function outside({ namespaceSelector, ipBlock }: Peer): string {
  if (namespaceSelector) {
    const { 'kubernetes.io/metadata.name': name, ...labels } = namespaceSelector.matchLabels
    return name ?? (Object.entries(labels).join().replaceAll(',', '=') || 'any namespace')
  }
  if (!ipBlock) return 'anywhere'
  // The cluster's own addresses, and those of machine metadata, are not the internet.
  const internet =
    ipBlock.cidr === '0.0.0.0/0'
      ? ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
      : ['fc00::/7']
  if (!/^(0\.0\.0\.0|::)\/0$/.test(ipBlock.cidr)) return ipBlock.cidr
  return internet.every(one => ipBlock.except?.includes(one)) ? 'internet' : 'anywhere'
}

const everywhere = [
  'ingress-nginx → gateway:8080',
  'gateway → nats:4222',
  ...serviceNames.map(name => `${name} → nats:4222`),
  'admin → nats:4222',
  'auth-tokens → internet:465',
  'auth-tokens → internet:587',
  'svc/metrics=reader → gateway:9090',
  ...serviceNames.map(name => `svc/metrics=reader → ${name}:9090`),
]
const services = serviceNames
const migrations = services.map(service => `migrate-${service}`)
const to = (where: string, pods: string[]) => pods.map(pod => `${pod} → ${where}`)
/** At the Service's address, and at its own. */
const apiServer = (pod: string) =>
  ['10.96.0.1/32', '10.0.0.0/24'].flatMap(where => [443, 6443].map(port => `${pod} → ${where}:${port}`))
/** CoreDNS, and NodeLocal DNSCache at either of its addresses. */
const dns = ['kube-system', '169.254.20.10/32', '10.96.0.10/32']
const expected = {
  small: [
    ...everywhere,
    'activity → internet:443',
    ...to('postgres:5432', [...services, 'setup-database', 'backup']),
  ],
  production: [
    ...everywhere,
    'activity → internet:443',
    'nats → nats:6222',
    ...to('10.0.0.0/8:5432', [...services, ...migrations]),
  ],
  'cloudnative-pg': [
    ...everywhere,
    'nats → nats:6222',
    ...to('postgres:5432', [...services, 'setup-database']),
    // Rules of the components webhooks-proxy, stripe and issuers, and the one other way in.
    'activity → 10.0.0.0/8:3128',
    'gateway → internet:443',
    'offers → internet:443',
    'envoy-gateway-system → gateway:8080',
    // https://cloudnative-pg.io/documentation/current/networking/
    'postgres → postgres:5432',
    'postgres → postgres:8000',
    'cnpg-system → postgres:5432',
    'cnpg-system → postgres:8000',
    ...apiServer('postgres'),
    // The object store of its backups.
    'postgres → internet:443',
    'compute-agent → nats:4222',
    ...apiServer('compute-agent'),
    'svc/metrics=reader → compute-agent:9090',
    'postgres-exporter → postgres:5432',
    'svc/metrics=reader → postgres-exporter:9187',
    'svc/metrics=reader → nats:7777',
  ],
}

describe.skipIf(!kubectl).each(overlays)('%s', overlay => {
  test('everything is denied, except name resolution and the arrows in the diagram', async () => {
    const objects = await objectsOf(overlay)
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy')
    const pods = podsOf(objects).map(({ name, labels, spec }) => ({
      name,
      labels,
      ports: Object.fromEntries(
        spec.containers
          .flatMap((container: Manifest) => container.ports ?? [])
          .map((one: { name: string; containerPort: number }) => [one.name, String(one.containerPort)]),
      ),
    }))
    if (overlay === 'cloudnative-pg') {
      const { labels } = objects.find(({ kind }) => kind === 'Cluster')?.spec.inheritedMetadata ?? {}
      pods.push({ name: 'postgres', labels: { ...labels, 'cnpg.io/cluster': 'postgres' }, ports: {} })
    }
    expect(policies.find(({ metadata }) => metadata.name === 'default-deny')?.spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    })
    const names = pods.flatMap(({ name }) => dns.map(where => `${name} → ${where}:53`))
    expect(arrows(policies, pods)).toEqual([...expected[overlay], ...names].sort())
  })

  test('a policy names the direction of its rules', async () => {
    for (const { kind, metadata, spec } of await objectsOf(overlay)) {
      if (kind !== 'NetworkPolicy' || metadata.name === 'default-deny') continue
      const directions = [spec.ingress && 'Ingress', spec.egress && 'Egress'].filter(Boolean)
      expect(spec.policyTypes, metadata.name).toEqual(directions)
    }
  })
})
