/** Rules for fastest-validator, in which null is a value that has to be allowed. */
export const text = (min: number, max: number) => ({
  type: 'string',
  empty: min === 0,
  min,
  max,
  nullable: false,
})

export const integer = (min: number, max?: number) => ({
  type: 'number',
  integer: true,
  min,
  ...(max !== undefined && { max }),
  nullable: false,
})

export const oneOf = (...values: string[]) => ({ type: 'enum', values, nullable: false })

export const object = (props: object) => ({ type: 'object', strict: true, props, nullable: false })

export const optional = <Rule extends object>(rule: Rule) => ({ ...rule, optional: true })

export const pageQuery = {
  $$strict: true,
  limit: { ...integer(1, 100), convert: true, default: 25 },
  cursor: optional({ ...text(1, 200), pattern: /^[A-Za-z0-9_-]+$/ }),
}
