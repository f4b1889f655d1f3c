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
  if (!/^\d{1,12}([.,]\d{1,2})?$/.test(typed)) return 'Enter an amount, such as 49.00.'
  const amount = Math.round(Number(typed.replace(',', '.')) * 100)
  if (amount < Number(dataset.least)) return `At least ${text(dataset.least)}.`
  return amount > Number(dataset.most) ? `At most ${text(dataset.most)}.` : ''
}

const text = (amount: string | undefined) =>
  (Number(amount) / 100).toLocaleString('en', { minimumFractionDigits: 2 })
