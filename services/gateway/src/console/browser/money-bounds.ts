import { amountOf, amountText, noAmount } from '../forms/money.ts'

/** Whether an amount is within its bounds, said while one types. The service decides. */
export function checkAmounts() {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-most]')) {
    const said = document.createElement('p')
    said.className = 'problem'
    said.setAttribute('role', 'status')
    input.after(said)
    input.addEventListener('input', () => {
      said.textContent = problemOf(input)
    })
  }
}

function problemOf({ value, dataset }: HTMLInputElement): string {
  const typed = value.trim()
  if (typed === '') return ''
  const amount = amountOf(typed)
  if (amount === undefined) return noAmount
  const [least, most] = [Number(dataset.least), Number(dataset.most)]
  if (amount < least) return `At least ${amountText(least)}.`
  return amount > most ? `At most ${amountText(most)}.` : ''
}
