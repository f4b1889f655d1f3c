const absolute = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A time, absolute and seen from now; both in Unix seconds. */
export function Moment({ at, now }: { readonly at: number; readonly now: number }) {
  const date = new Date(at * 1000)
  // No time that the API takes is one of these. One that is stored all the same must not cost the reader the page.
  if (Number.isNaN(date.getTime())) return <>Unknown date</>
  return (
    <>
      <time dateTime={date.toISOString()}>{absolute.format(date)} UTC</time>{' '}
      <span class="hint">({fromNow(at - now)})</span>
    </>
  )
}

/** A day in UTC, such as 2 Dec 2026, of Unix seconds. */
export const dateText = (at: number): string => day.format(at * 1000)

export function fromNow(seconds: number): string {
  const unit = units.find(([, size]) => Math.abs(seconds) >= size)
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now'
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)
