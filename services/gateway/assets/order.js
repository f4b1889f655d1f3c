// The page of an order: shows what has happened without being asked, and prints a receipt. Both can be missed.
const live = document.getElementById('live')
if (live) watch(live)

const print = document.getElementById('print')
if (print) {
  print.hidden = false
  print.addEventListener('click', () => window.print())
}

/** Looks often at first, when something is likely to happen soon, and never while nobody looks at the page. */
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
    // Whoever comes back to the page may have asked while an earlier question was on its way.
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

  /** Undefined: there is nothing more to learn, for somebody who has signed out, for one. */
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
