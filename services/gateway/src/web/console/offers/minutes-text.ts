import { counted } from '../../kit/ui/words.ts'

/** `1440` → `24 hours`, `90` → `1 hour 30 minutes`. */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [hours > 0 && counted(hours, 'hour'), rest > 0 && counted(rest, 'minute')]
  return parts.filter(Boolean).join(' ')
}
