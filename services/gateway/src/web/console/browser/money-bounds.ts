import { amountOf, amountText, noAmount } from '../../kit/forms/money.ts'

export function checkAmounts() {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-most]')) {
    const said = document.createElement('p')
    said.id = `${input.id}-bounds`
    said.className = 'problem'
    said.setAttribute('role', 'status')
    input.after(said)
    input.setAttribute(
      'aria-describedby',
      `${input.getAttribute('aria-describedby') ?? ''} ${said.id}`.trim(),
    )
    input.addEventListener('input', () => {
      said.textContent = problemOf(input)
      forgetAnswer(input, said.textContent !== '')
    })
  }
}

function forgetAnswer(input: HTMLInputElement, isWrong: boolean) {
  const answered = document.getElementById(`${input.id}-problem`)
  if (answered) answered.hidden = true
  input.closest('.field')?.classList.toggle('wrong', isWrong)
  if (isWrong) input.setAttribute('aria-invalid', 'true')
  else input.removeAttribute('aria-invalid')
}

function problemOf({ value, dataset }: HTMLInputElement): string {
  const typed = value.trim()
  if (typed === '') return ''
  const amount = amountOf(typed)
  if (amount === undefined) return noAmount
  const [least, most] = [Number(dataset.least), Number(dataset.most)]
  if (amount < least) return `Must be at least ${amountText(least)}.`
  return amount > most ? `Must be ${amountText(most)} or less.` : ''
}
