import { fromNow } from './moments.ts'

const absolute = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

interface WhenProps {
  /** Unix seconds; null: `none` is said. */
  readonly at: number | null | undefined
  readonly now: number
  readonly none?: string
}

/** A time: how long ago or until then, beside it. Where the page has the script, in the reader's zone; UTC stays as its title. */
export function When({ at, now, none = '–' }: WhenProps) {
  if (at === null || at === undefined) return <>{none}</>
  const date = new Date(at * 1000)
  // No time that the API takes is one of these. One that is stored all the same must not cost the reader the page.
  if (Number.isNaN(date.getTime())) return <>Unknown date</>
  const utc = `${absolute.format(date)} UTC`
  return (
    <span class="when" title={utc}>
      <time dateTime={date.toISOString()}>{utc}</time> <span class="hint">{fromNow(at - now)}</span>
    </span>
  )
}
