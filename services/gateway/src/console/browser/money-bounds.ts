/** Whether an amount is within its bounds, said while one types. The service decides. */
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

/** What was said of the value that was sent is not about this one. */
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
  if (!/^\d{1,12}([.,]\d{1,2})?$/.test(typed)) return 'Enter an amount, for example 49.00.'
  const amount = Math.round(Number(typed.replace(',', '.')) * 100)
  if (amount < Number(dataset.least)) return `Must be at least ${text(dataset.least)}.`
  return amount > Number(dataset.most) ? `Must be ${text(dataset.most)} or less.` : ''
}

const text = (amount: string | undefined) =>
  (Number(amount) / 100).toLocaleString('en', { minimumFractionDigits: 2 })
