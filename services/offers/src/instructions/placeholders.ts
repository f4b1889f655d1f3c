const placeholder = /\{\{([^{}\n]*)\}\}/g

/** Changes each `{{ name }}`. */
export const replacePlaceholders = (text: string, change: (name: string) => string): string =>
  text.replace(placeholder, (_, name: string) => change(name.trim()))

/** The names after `field.`; undefined: it stands for no field. */
export const fieldPath = (name: string): string[] | undefined =>
  name.startsWith('field.') ? name.split('.').slice(1) : undefined
