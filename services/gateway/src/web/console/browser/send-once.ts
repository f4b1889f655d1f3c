/** A second click within this time sends nothing. */
const doubleClickMs = 3000

export function sendOnce() {
  let sentAt = Number.NEGATIVE_INFINITY
  document.addEventListener('submit', event => {
    if ((event.target as HTMLFormElement).method !== 'post') return
    if (event.timeStamp - sentAt < doubleClickMs) event.preventDefault()
    else sentAt = event.timeStamp
  })
  // Back from the next page, in its old state.
  window.addEventListener('pageshow', () => {
    sentAt = Number.NEGATIVE_INFINITY
  })
}
