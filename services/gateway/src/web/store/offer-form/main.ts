/** Fills the form on the page of an offer with fields, and adds their values to the request. */
import {
  type FieldProblem,
  fieldId,
  ids,
  labelOf,
  type OfferFormData,
  problemText,
} from '../../kit/offers/offer-form-data.ts'
import { summaryTitle } from '../../kit/forms/summary-title.ts'
import { keepDraft, putBack, readDraft } from './draft.ts'
import { mountOfferForm, type OfferForm } from './offer-form.tsx'

const element = (id: string) => document.getElementById(id)
const form = element(ids.form)
const fields = element(ids.fields)
const data = element(ids.data)?.textContent
if (form instanceof HTMLFormElement && fields && data) start(form, fields, JSON.parse(data))

const doubleClickMs = 3000

function start(form: HTMLFormElement, fields: Element, data: OfferFormData) {
  const draft = readDraft(data)
  const offer = mountOfferForm(fields, data, draft)
  if (draft) putBack(form, draft)
  if (data.draftKey) keepDraft(form, data, offer.entered)
  let sent = ''
  let sentAt = Number.NEGATIVE_INFINITY
  form.addEventListener('submit', event => {
    const { text, problems } = performance.now() - sentAt < doubleClickMs ? secondClick : read(offer)
    if (text) {
      sent = text
      sentAt = performance.now()
      return
    }
    event.preventDefault()
    if (problems.length > 0) showSummary(problems, data)
  })
  form.addEventListener('formdata', ({ formData }) => {
    // The fields themselves are not sent, only all their values together.
    for (const name of [...formData.keys()]) if (name.startsWith('values')) formData.delete(name)
    formData.set(ids.values, sent)
  })
  document.addEventListener('click', focusLinked)
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[type=submit]'))
    button.disabled = false
}

interface Read {
  /** Undefined: nothing is sent. */
  readonly text?: string
  readonly problems: readonly FieldProblem[]
}

const secondClick: Read = { problems: [] }

function read(offer: OfferForm): Read {
  try {
    const { values, problems } = offer.read()
    return problems.length === 0 ? { text: JSON.stringify(values), problems } : { problems }
  } catch (error) {
    reportError(error)
    return { problems: [{ path: [], message: unreadable }] }
  }
}

const unreadable =
  'Your details could not be read, so nothing was sent. Refresh the page: what you have typed stays, except passwords.'

function showSummary(problems: readonly FieldProblem[], { schema }: OfferFormData) {
  const title = Object.assign(document.createElement('h2'), {
    id: 'summary-title',
    textContent: summaryTitle(problems.length),
  })
  const list = document.createElement('ul')
  for (const { path, message } of problems) {
    const link = Object.assign(document.createElement('a'), {
      href: `#${encodeURIComponent(fieldId(path))}`,
      textContent: problemText(labelOf(schema, path), message),
      className: 'long',
    })
    const entry = document.createElement('li')
    entry.append(link)
    list.append(entry)
  }
  const summary = Object.assign(document.createElement('div'), { className: 'summary', tabIndex: -1 })
  summary.setAttribute('role', 'alert')
  summary.setAttribute('aria-labelledby', title.id)
  summary.append(title, list)
  element(ids.problems)?.replaceChildren(summary)
  if (!document.title.startsWith('Error: ')) document.title = `Error: ${document.title}`
  summary.focus()
}

function focusLinked(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('.summary a') : null
  const target = link && nearest(decodeURIComponent(link.hash.slice(1)))
  if (!target) return
  event.preventDefault()
  const inputs = 'input, select, textarea, button'
  const input = target.matches(inputs) ? target : target.querySelector(inputs)
  if (input instanceof HTMLElement) input.focus()
  target.scrollIntoView({ block: 'center' })
}

function nearest(id: string): Element | null {
  const names = id.split('_')
  for (let length = names.length; length > 1; length--) {
    const found = element(names.slice(0, length).join('_'))
    if (found) return found
  }
  return null
}
