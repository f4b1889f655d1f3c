// Bodies as Stripe takes them: forms with brackets in their names, `line_items[0][price_data][currency]=eur`.

export type Form = { [name: string]: Form | string }

export function parseForm(body: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.replaceAll(']', '').split('[')
    const last = path.pop() ?? ''
    let node = form
    for (const part of path) {
      const next = node[part]
      node = node[part] = typeof next === 'object' ? next : {}
    }
    node[last] = value
  }
  return form
}

/** The text under a path of names, if there is one. */
export function textAt(form: Form, ...path: string[]): string | undefined {
  let node: Form | string | undefined = form
  for (const part of path) node = typeof node === 'object' ? node[part] : undefined
  return typeof node === 'string' ? node : undefined
}
