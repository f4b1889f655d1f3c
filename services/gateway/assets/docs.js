// The pages of the documentation: copies examples, keeps one way of showing them, and searches while somebody
// types. The pages also work without it.
const reading = document.querySelector('.guide')

/** Browsers let pages use the clipboard only over HTTPS or on this machine. */
if (navigator.clipboard) {
  for (const block of reading?.querySelectorAll('.code') ?? []) {
    if (block.closest('.answer')) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-live', 'polite')
    button.addEventListener('click', () => copy(block.querySelector('code').textContent.trimEnd(), button))
    block.append(button)
  }
}

async function copy(text, button) {
  const done = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not copied',
  )
  button.textContent = done
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

/** The choice of a language applies to all pages. If `svc` has no command, curl is shown, as the texts say. */
function showAs(way) {
  for (const group of document.querySelectorAll('.ways')) {
    const choice = value => group.querySelector(`input[value="${value}"]`)
    const chosen = choice(way) ?? choice('sh')
    if (chosen) chosen.checked = true
  }
}

const kept = 'svc-docs-way'
// A browser may refuse to store anything: then the choice applies to this page only.
const remember = way => {
  try {
    localStorage.setItem(kept, way)
  } catch {}
}
const remembered = () => {
  try {
    return localStorage.getItem(kept)
  } catch {
    return null
  }
}

const before = remembered()
if (['sh', 'ts', 'svc'].includes(before)) showAs(before)
reading?.addEventListener('change', ({ target }) => {
  // Content above grows or shrinks: keep what is being read in its place.
  const top = target.getBoundingClientRect().top
  showAs(target.value)
  window.scrollBy(0, target.getBoundingClientRect().top - top)
  remember(target.value)
})

// On a phone the list of pages is wider than the screen.
const current = document.querySelector('.contents [aria-current]')
const row = current?.closest('section')
if (row) row.scrollLeft = current.offsetLeft - row.offsetLeft - 60

const search = document.querySelector('.search')
const input = search.querySelector('input')
const list = search.querySelector('ul')
const status = search.querySelector('[role=status]')
let waiting
input.addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = setTimeout(show, 150)
})
input.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  input.value = ''
  show()
})

async function show() {
  const asked = input.value
  const found = asked.trim() ? await find(asked) : []
  // More may have been typed meanwhile.
  if (asked !== input.value) return
  list.replaceChildren(...(found ?? []).slice(0, 8).map(entryOf))
  status.textContent = asked.trim() && found ? sayCount(found.length) : ''
}

const sayCount = count => (count === 1 ? '1 result' : `${count || 'No'} results`)

/** Undefined if there is no answer: the form still works. */
const find = asked =>
  fetch(`${search.action}.json?q=${encodeURIComponent(asked)}`)
    .then(answer => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined)

function entryOf({ page, title, path }) {
  const [item, link, where] = ['li', 'a', 'span'].map(name => document.createElement(name))
  link.href = path
  link.append(title, where)
  where.textContent = page
  item.append(link)
  return item
}
