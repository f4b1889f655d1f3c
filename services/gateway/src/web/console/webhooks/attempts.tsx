import type { Item } from '../ui/answers.ts'
import { Badge } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { counted } from '../../kit/ui/words.ts'

type Delivery = Item<'list_webhook_deliveries'>

const soonSeconds = 30

export const isDue = ({ state, attempts, next_attempt_at }: Delivery, now: number): boolean =>
  state === 'pending' && (attempts.length === 0 || (next_attempt_at ?? now) - now < soonSeconds)

export const deliveryBadges = {
  pending: <Badge look="waits">Pending</Badge>,
  delivered: <Badge look="good">Delivered</Badge>,
  failed: <Badge look="bad">Failed</Badge>,
} as const

export function Attempts({
  delivery: { attempts, next_attempt_at },
  now,
}: {
  delivery: Delivery
  now: number
}) {
  if (attempts.length === 0) return <>None yet</>
  return (
    <details>
      <summary>{`${counted(attempts.length, 'attempt')} · ${resultText(attempts.at(-1))}`}</summary>
      <ol class="attempts">
        {attempts.map(attempt => (
          <li key={attempt.at}>
            {resultText(attempt)}, {attempt.duration_ms} ms
            <p class="hint">
              <When at={attempt.at} now={now} />
            </p>
            {isMore(attempt) && <p class="hint">{attempt.error}</p>}
          </li>
        ))}
      </ol>
      {next_attempt_at !== null && (
        <p class="hint">
          Next attempt: <When at={next_attempt_at} now={now} />
        </p>
      )}
    </details>
  )
}

type Attempt = Delivery['attempts'][number]

const resultText = (attempt: Attempt | undefined): string =>
  attempt
    ? attempt.status === null
      ? (attempt.error ?? '').replace(/\.$/, '')
      : `HTTP ${attempt.status}`
    : ''

const isMore = (attempt: Attempt): boolean =>
  attempt.status !== null && attempt.error !== null && attempt.error !== resultText(attempt)
