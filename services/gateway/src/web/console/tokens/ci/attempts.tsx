import { When } from '../../../kit/ui/when.tsx'
import type { Scene } from '../../shell/scene.ts'
import type { Item } from '../../ui/answers.ts'
import type { Column } from '../../ui/list.tsx'
import { ClaimList } from './claim-list.tsx'

type Attempt = Item<'list_ci_attempts'>
type Trust = Item<'list_ci_trusts'>

export const nameOfRun = ({ claims }: Attempt): string =>
  claims.repository ?? claims.project_path ?? claims.sub ?? ''

export const suggested = ({ claims, suggested_claims }: Attempt): Record<string, string> =>
  Object.fromEntries(suggested_claims.map(name => [name, claims[name] ?? '']))

export const attemptsColumns = (
  scene: Scene,
  trusts: readonly Trust[],
  mayTrust: boolean,
): Column<Attempt>[] => [
  {
    label: 'Run',
    value: attempt => (
      <div id={attempt.id}>
        <strong class="long">{nameOfRun(attempt)}</strong>
        <p class="hint">
          <When at={attempt.attempted_at} now={scene.now} />
        </p>
      </div>
    ),
  },
  {
    label: 'Claims',
    value: attempt => (
      <>
        <Differences attempt={attempt} trusts={trusts} />
        <details class="more">
          <summary>All claims</summary>
          <ClaimList claims={attempt.claims} />
        </details>
      </>
    ),
  },
  ...(mayTrust
    ? [
        {
          label: 'Actions',
          value: (attempt: Attempt) => (
            <a
              href={`${scene.root}/tokens/ci/new?attempt=${attempt.id}`}
              aria-label={`Trust this run of ${nameOfRun(attempt)}`}
            >
              Trust this run
            </a>
          ),
        },
      ]
    : []),
]

interface DifferencesProps {
  readonly attempt: Attempt
  readonly trusts: readonly Trust[]
}

/** Which claim is another, of the trust that has the most in common with the run. */
function Differences({ attempt, trusts }: DifferencesProps) {
  const [nearest] = trusts
    .filter(({ issuer }) => issuer === attempt.issuer)
    .map(({ name, claims }) => {
      const other = Object.keys(claims).filter(claim => attempt.claims[claim] !== claims[claim])
      return { name, claims, other, common: Object.keys(claims).length - other.length }
    })
    .filter(({ common }) => common > 0)
    .sort((one, another) => one.other.length - another.other.length)
  if (!nearest) return <ClaimList claims={suggested(attempt)} />
  const { name, claims, other } = nearest
  return (
    <>
      <p>Differs from “{name}”:</p>
      <ClaimList
        claims={Object.fromEntries(other.map(claim => [claim, attempt.claims[claim] ?? 'none']))}
        more={claim => (
          <>
            {' '}
            <span class="hint">instead of</span> <code>{claims[claim]}</code>
          </>
        )}
      />
    </>
  )
}
