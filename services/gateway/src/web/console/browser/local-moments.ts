/** Times are typed and shown in the reader's time zone. The form and the command lines use UTC. */
export function typeLocalMoments() {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=datetime-local]')) {
    // A value that the browser has restored is what was typed.
    if (input.value === input.defaultValue) input.value = localOf(input.value)
    const text = input.labels?.[0]?.firstChild
    if (text) text.textContent = (text.textContent ?? '').replace('UTC', zone)
    input.form?.addEventListener('formdata', ({ formData }) => formData.set(input.name, utcOf(input.value)))
  }
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

function localOf(utc: string): string {
  const at = new Date(`${utc}Z`)
  const offsetMs = at.getTimezoneOffset() * 60_000
  return Number.isNaN(offsetMs) ? utc : minutesOf(new Date(at.getTime() - offsetMs))
}

function utcOf(local: string): string {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? local : minutesOf(at)
}

const minutesOf = (at: Date) => at.toISOString().slice(0, 16)
