/** Moments are typed by the reader's clock, like those that they read. What is sent, and what the lines for a terminal say, stays in UTC. */
export function typeLocalMoments() {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=datetime-local]')) {
    // What a browser has put back is what was typed.
    if (input.value === input.defaultValue) input.value = localOf(input.value)
    // Its first text: what follows says that it is optional.
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
