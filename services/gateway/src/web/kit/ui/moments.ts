const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A day in UTC, such as 2 Dec 2026, from Unix seconds. */
export const dateText = (at: number): string => day.format(at * 1000)

export function fromNow(seconds: number): string {
  const unit = units.find(([, size]) => Math.abs(seconds) >= size)
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now'
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)
