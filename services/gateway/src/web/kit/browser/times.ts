export function showLocalTimes() {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of document.querySelectorAll<HTMLTimeElement>('.when time')) {
    time.textContent = format.format(new Date(time.dateTime))
  }
}
