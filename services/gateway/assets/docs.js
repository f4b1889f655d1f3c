// The guides and the reference: copies examples, searches, and keeps to one way of showing them. All of it can be missed.
const reading = document.querySelector('.guide')

/** Beside each example. Browsers give the clipboard to pages from HTTPS and from this machine only. */
if (navigator.clipboard) {
  for (const block of reading?.querySelectorAll('.code') ?? []) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-live', 'polite')
    button.addEventListener('click', () => copy(block.querySelector('code')?.textContent ?? '', button))
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

/** Who reads in one language reads the whole page in it, as far as it goes. */
reading?.addEventListener('change', ({ target }) => {
  for (const other of reading.querySelectorAll(`.ways input[value="${target.value}"]`)) other.checked = true
})

const search = document.querySelector('.search')
const input = search.querySelector('input')
const list = search.querySelector('ul')
const status = search.querySelector('[role=status]')
let index
search.hidden = false
search.addEventListener('submit', event => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
input.addEventListener('focus', load)
input.addEventListener('input', show)
input.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  input.value = ''
  show()
})

/** Once, when it is wanted. */
function load() {
  index ??= fetch(search.dataset.index)
    .then(answer => answer.json())
    .catch(() => {
      index = undefined
      return []
    })
  return index
}

async function show() {
  const asked = input.value
  const found = find(await load(), asked)
  // Meanwhile more may have been typed.
  if (asked !== input.value) return
  list.replaceChildren(...found.slice(0, 12).map(entryOf))
  status.textContent = asked.trim() ? `${found.length || 'No'} ${found.length === 1 ? 'result' : 'results'}` : ''
}

/** Entries with all of the words, those in titles first. */
function find(entries, asked) {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .map(entry => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

function scoreOf({ page, title, text }, words) {
  const [head, whole] = [title.toLowerCase(), `${page} ${title} ${text}`.toLowerCase()]
  if (!words.every(word => whole.includes(word))) return 0
  return 1 + words.filter(word => head.includes(word)).length
}

function entryOf({ page, title, path }) {
  const [item, link, where] = ['li', 'a', 'span'].map(name => document.createElement(name))
  link.href = path
  link.textContent = title
  where.textContent = page
  link.append(where)
  item.append(link)
  return item
}
