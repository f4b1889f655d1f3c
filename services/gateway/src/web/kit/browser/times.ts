/** Shows times in the reader's time zone. UTC stays in the title. */
export function showLocalTimes() {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of document.querySelectorAll<HTMLTimeElement>('.when time')) {
    time.textContent = format.format(new Date(time.dateTime))
  }
}
