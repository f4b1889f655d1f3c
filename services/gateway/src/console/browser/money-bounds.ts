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
  const amount = Number(value.replace(',', '.')) * 100
  if (value.trim() === '') return ''
  if (Number.isNaN(amount)) return 'Enter an amount, such as 49.00.'
  if (amount < Number(dataset.least)) return `At least ${text(dataset.least)}.`
  return amount > Number(dataset.most) ? `At most ${text(dataset.most)}.` : ''
}

const text = (amount: string | undefined) =>
  (Number(amount) / 100).toLocaleString('en', { minimumFractionDigits: 2 })
