/** Reloads a page with work in progress: soon at first, then less and less often, and not for ever. */
const firstWaitMs = 2000
const growth = 1.3
const maxReloads = 15

export function followWork() {
  const note = document.querySelector<HTMLElement>('[data-follows]')
  const key = `looks ${location.pathname}`
  const looks = Number(sessionStorage.getItem(key))
  if (!note) return sessionStorage.removeItem(key)
  if (looks >= maxReloads) return
  note.hidden = false
  setTimeout(look, firstWaitMs * growth ** looks)

  function look() {
    // A reader who types or selects something keeps the page as it is.
    if (isInUse()) return void setTimeout(look, firstWaitMs)
    sessionStorage.setItem(key, `${looks + 1}`)
    location.reload()
  }
}

const isInUse = () =>
  document.hidden ||
  document.activeElement !== document.body ||
  document.querySelector('main details[open]') !== null
