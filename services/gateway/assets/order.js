// The page of an order: shows changes without a reload, and prints a receipt. The page also works without it.
const live = document.getElementById('live')
if (live) watch(live)

const print = document.getElementById('print')
if (print) {
  print.hidden = false
  print.addEventListener('click', () => window.print())
}

/** Looks often at first, when something is likely to happen soon, and never while the page is hidden. */
function watch({ dataset }) {
  const slowest = 30_000
  let wait = 2000
  let timer
  live.hidden = false
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    if (!document.hidden) look()
  })
  later()

  function later() {
    // An earlier request may still have been running when the page became visible again.
    clearTimeout(timer)
    timer = setTimeout(look, wait * (0.9 + Math.random() / 5))
    wait = Math.min(slowest, wait * 1.2)
  }

  async function look() {
    if (document.hidden) return
    const state = await read()
    if (state === dataset.state) later()
    else if (state === undefined) live.hidden = true
    else location.reload()
  }

  /** Undefined if there is nothing more to learn, for example after signing out. */
  async function read() {
    try {
      const answer = await fetch(dataset.at, { cache: 'no-store', redirect: 'manual' })
      if (answer.ok) return (await answer.json()).state
      if (answer.status !== 429 && answer.status < 500) return undefined
    } catch {
      // Offline: it may come back.
    }
    wait = Math.min(slowest, wait * 2)
    return dataset.state
  }
}
