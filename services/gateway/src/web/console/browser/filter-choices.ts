import { similarName } from '@svc/contract/core/similar-name'
import { counted } from '../../kit/ui/words.ts'

/** Hides the choices without the typed words. What is ticked stays ticked. */
export function filterChoices() {
  for (const filter of document.querySelectorAll<HTMLElement>('[data-filters]')) {
    const input = filter.querySelector('input')
    const said = filter.querySelector('[role=status]')
    const list = document.getElementById(filter.dataset.filters ?? '')
    if (!input || !said || !list) continue
    filter.hidden = false
    input.addEventListener('input', () => {
      const typed = input.value.trim().toLowerCase()
      const found = show(list, typed.split(/\s+/))
      said.textContent =
        typed === '' ? '' : found > 0 ? counted(found, 'match', 'matches') : noneText(list, typed)
    })
    // It would send the form.
    input.addEventListener('keydown', event => {
      if (event.key === 'Enter') event.preventDefault()
    })
  }
}

const choicesIn = (list: Element) => [...list.querySelectorAll<HTMLElement>('.check')]

/** @returns how many are shown */
function show(list: Element, words: readonly string[]): number {
  let shown = 0
  for (const group of list.querySelectorAll('fieldset')) {
    const title = group.querySelector('legend')?.textContent ?? ''
    let left = 0
    for (const choice of choicesIn(group)) {
      const text = `${title} ${choice.textContent}`.toLowerCase()
      choice.hidden = !words.every(word => text.includes(word))
      if (!choice.hidden) left++
    }
    group.hidden = left === 0
    shown += left
  }
  return shown
}

function noneText(list: Element, typed: string): string {
  const meant = similarName(
    typed,
    choicesIn(list).map(({ textContent }) => textContent ?? ''),
  )
  return meant ? `No matches. Did you mean ${meant}?` : 'No matches.'
}
