import { fromNow } from './moments.ts'

const absolute = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

interface WhenProps {
  /** Unix seconds; null shows `none`. */
  readonly at: number | null | undefined
  readonly now: number
  readonly none?: string
}

/**
 * A time, and how long ago or until then. The script shows it in the reader's time zone; UTC stays as its title.
 */
export function When({ at, now, none = '–' }: WhenProps) {
  if (at === null || at === undefined) return <>{none}</>
  const date = new Date(at * 1000)
  // The API accepts no such time, but a stored one must not break the page.
  if (Number.isNaN(date.getTime())) return <>Unknown date</>
  const utc = `${absolute.format(date)} UTC`
  return (
    <span class="when" title={utc}>
      <time dateTime={date.toISOString()}>{utc}</time> <span class="hint">{fromNow(at - now)}</span>
    </span>
  )
}
