/** Issuers of ID tokens for runs of CI, and the claims that a trust must pin: docs/people/ci.md. */
import { z } from 'zod'
import { issuersOf, keysUrl } from './issuer-config.ts'

const claimName = z.string().min(1)

const trustedWorkload = z.strictObject({
  issuer: z.string().min(1, 'must be the exact "iss" of its tokens'),
  name: z.string().min(1).max(100),
  jwks_uri: keysUrl,
  /** A trust pins all claims of one set. `name=value`: with this value. */
  must_pin: z.array(z.array(claimName).min(1).max(10)).min(1).max(10),
  /** Whose the run is: attempts are limited for each. */
  owner: claimName,
  /** Claims that are kept with a token; the first two are in its name. */
  run: z.array(claimName).min(1).max(12),
  max_age_seconds: z.int().min(60).max(86_400).default(3600),
})
export type TrustedWorkload = z.output<typeof trustedWorkload>

const inRepository = ['repository_id', 'repository_owner_id']
const ofProject = ['project_id', 'namespace_id', 'ci_config_ref_uri']

const known: readonly z.input<typeof trustedWorkload>[] = [
  {
    issuer: 'https://token.actions.githubusercontent.com',
    name: 'GitHub Actions',
    jwks_uri: 'https://token.actions.githubusercontent.com/.well-known/jwks',
    must_pin: [
      [...inRepository, 'workflow_ref'],
      // A reusable workflow is the same for every branch and every caller.
      [...inRepository, 'job_workflow_ref', 'ref'],
      [...inRepository, 'job_workflow_ref', 'environment'],
    ],
    owner: 'repository_owner_id',
    run: [
      'repository',
      'run_id',
      'run_attempt',
      'workflow_ref',
      'ref',
      'sha',
      'actor',
      'event_name',
      'environment',
    ],
  },
  {
    issuer: 'https://gitlab.com',
    name: 'GitLab.com',
    jwks_uri: 'https://gitlab.com/oauth/discovery/keys',
    must_pin: [
      [...ofProject, 'ref_protected=true'],
      [...ofProject, 'environment'],
    ],
    owner: 'namespace_id',
    run: [
      'project_path',
      'job_id',
      'pipeline_id',
      'ci_config_ref_uri',
      'ref',
      'sha',
      'user_login',
      'pipeline_source',
      'environment',
    ],
  },
]

export const workloadsConfig = {
  TRUSTED_WORKLOADS: issuersOf(trustedWorkload, JSON.stringify(known)).describe(
    'issuers of ID tokens for runs of CI, as JSON',
  ),
}

export type Claims = Readonly<Record<string, string>>
type Pinned = Pick<TrustedWorkload, 'must_pin'>

/** What is missing until the claims pin a set; empty: nothing. Of several sets, that with the least. */
export function missingClaims({ must_pin }: Pinned, claims: Claims): string[] {
  const [least = []] = must_pin
    .map(set => set.filter(pin => !pins(claims, pin)))
    .sort((one, other) => one.length - other.length)
  return least
}

/** Claims of the first set that this run has; empty: of none. */
export function suggestedClaims({ must_pin }: Pinned, claims: Claims): string[] {
  return (must_pin.find(set => set.every(pin => pins(claims, pin))) ?? []).map(pin => pinOf(pin).name)
}

/** The sets as a statement compares them: claims that there must be, and those with a value. */
export const pinSets = ({ must_pin }: Pinned) =>
  must_pin.map(set => ({
    names: set.map(pin => pinOf(pin).name),
    texts: Object.fromEntries(
      set.flatMap(pin => {
        const { name, value } = pinOf(pin)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }))

function pins(claims: Claims, pin: string): boolean {
  const { name, value } = pinOf(pin)
  return Object.hasOwn(claims, name) && (value === undefined || claims[name] === value)
}

function pinOf(pin: string): { name: string; value: string | undefined } {
  const [name = '', ...value] = pin.split('=')
  return { name, value: value.length > 0 ? value.join('=') : undefined }
}
