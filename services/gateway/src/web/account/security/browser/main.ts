/** Asks the browser for a passkey and sends what it answers with the form: no page needs to send requests. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  form.hidden = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    ask(form)
  })
  if (form.dataset.start) ask(form)
}

async function ask(form: HTMLFormElement) {
  const button = form.querySelector('button')
  const problem = form.querySelector<HTMLElement>('[role=alert]')
  const optionsJSON = JSON.parse(form.querySelector('script')?.textContent ?? '{}')
  const answer = form.querySelector<HTMLInputElement>('input[name=passkey]')
  if (!button || !problem || !answer) return
  button.disabled = true
  problem.textContent = ''
  try {
    const passkey =
      form.dataset.passkey === 'create'
        ? await startRegistration({ optionsJSON })
        : await startAuthentication({ optionsJSON })
    answer.value = JSON.stringify(passkey)
    form.submit()
  } catch (error) {
    button.disabled = false
    problem.textContent = textOf(error)
  }
}

/** The names of WebAuthn Level 3, 5.1.3 and 5.1.4: browsers do not say whether somebody cancelled. */
function textOf(error: unknown): string {
  const { name } = error as Error
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  if (name === 'NotAllowedError') return 'No passkey was used: you cancelled, or it took too long. Try again.'
  return 'This browser can’t use a passkey here.'
}
