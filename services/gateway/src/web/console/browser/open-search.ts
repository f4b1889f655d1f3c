/** `/`, Ctrl+K and ⌘K lead to the search, and Escape back to where one was. */
export function openSearch() {
  const box = document.querySelector<HTMLInputElement>('.search input')
  if (!box) return
  const hint = box.parentElement?.querySelector<HTMLElement>('.key')
  if (hint) hint.hidden = false
  let before: Element | null = null
  document.addEventListener('keydown', event => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
    const isShortcut = key === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(target as HTMLElement)
    if (!isShortcut && !isSlash) return
    event.preventDefault()
    before = document.activeElement
    box.focus()
    box.select()
  })
  box.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    if (before instanceof HTMLElement && before !== document.body) before.focus()
    else box.blur()
  })
}

const isTyping = ({ tagName, isContentEditable }: HTMLElement) =>
  isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(tagName)
