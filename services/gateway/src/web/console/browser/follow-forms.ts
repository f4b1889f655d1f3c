import { type CallSpec, curlLine, svcLine } from '../forms/command-lines.ts'
import type { FieldValues } from '../../kit/forms/field-spec.ts'

const writers = { curl: curlLine, svc: svcLine }

export function followForms() {
  for (const lines of document.querySelectorAll<HTMLElement>('.lines-of-call[data-form]')) {
    const form = document.getElementById(lines.dataset.form ?? '')
    const call = lines.querySelector('.call')?.textContent
    if (!(form instanceof HTMLFormElement) || !call) continue
    const write = () => show(lines, JSON.parse(call), valuesOf(form))
    form.addEventListener('input', write)
    // A browser that returns to a page restores what was typed.
    window.addEventListener('pageshow', write)
  }
}

function show(lines: HTMLElement, call: CallSpec, values: FieldValues) {
  for (const [name, write] of Object.entries(writers)) {
    const shown = lines.querySelector(`[data-line=${name}]`)
    const text = write(call, values)
    if (shown) shown.textContent = text
    const button = shown?.parentElement?.querySelector<HTMLElement>('[data-copy]')
    if (button) button.dataset.copy = text
  }
}

function valuesOf(form: HTMLFormElement): FieldValues {
  const entries = [...new FormData(form)].filter(([name]) => name !== '_csrf')
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}
