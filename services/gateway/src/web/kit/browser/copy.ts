export function startCopying() {
  // Only pages over HTTPS or from this machine may use it.
  if (!navigator.clipboard) return
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', () => copy(button))
  }
}

async function copy(button: HTMLButtonElement) {
  await navigator.clipboard.writeText(button.dataset.copy ?? '')
  const label = button.querySelector('.unseen')
  const before = label?.textContent ?? ''
  button.classList.add('is-copied')
  if (label) label.textContent = 'Copied'
  setTimeout(() => {
    button.classList.remove('is-copied')
    if (label) label.textContent = before
  }, 2000)
}
