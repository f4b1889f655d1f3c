import { counted } from '../../kit/ui/words.ts'

export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [hours > 0 && counted(hours, 'hour'), rest > 0 && counted(rest, 'minute')]
  return parts.filter(Boolean).join(' ')
}
