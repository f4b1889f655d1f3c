import { isTime, present, type Property } from '@svc/contract/openapi/json-schema'
import { Marked } from 'marked'
import { boundOf } from '../field-bounds.ts'
import { escapeHtml } from '../render-guide.ts'

interface FieldsProps {
  readonly schema: Property
  /** Whether callers send it: an answer has all of its fields, within bounds that concern nobody. */
  readonly sent?: boolean
}

/** The properties of a schema, those of nested ones closed. */
export function Fields({ schema, sent = false }: FieldsProps) {
  const variants = variantsOf(schema)
  if (variants.length > 1)
    return variants.map((variant, index) => (
      <details key={titleOf(variant)} open={index === 0}>
        <summary>{titleOf(variant)}</summary>
        <Fields schema={variant} sent={sent} />
      </details>
    ))
  const { properties = {}, required = [] } = variants[0] ?? schema
  return (
    <ul class="fields">
      {Object.entries(properties).map(([name, property]) => (
        <Field
          key={name}
          name={name}
          property={property}
          required={required.includes(name) && !('default' in property)}
          sent={sent}
        />
      ))}
    </ul>
  )
}

interface FieldProps extends Pick<FieldsProps, 'sent'> {
  readonly name: string
  readonly property: Property
  readonly required: boolean
}

export function Field({ name, property, required, sent }: FieldProps) {
  const nested = fieldsIn(property)
  const limits = [
    boundOf(present(property)),
    property.default !== undefined && `default ${JSON.stringify(property.default)}`,
  ]
  return (
    <li>
      <p>
        <code>{name}</code>{' '}
        <span class="hint">{isTime(name, property) ? 'Unix seconds' : typeOf(property)}</span>
        {sent && required && <strong> required</strong>}
      </p>
      {property.description && <Markdown text={property.description} />}
      {sent && limits.some(Boolean) && <p class="hint">{limits.filter(Boolean).join(', ')}</p>}
      {nested && (
        <details>
          <summary>
            Fields of <code>{name}</code>
          </summary>
          <Fields schema={nested} sent={sent} />
        </details>
      )}
    </li>
  )
}

// `<token>` in a text is no markup.
const markdown = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } })

export const Markdown = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build from texts of ours
  <div dangerouslySetInnerHTML={{ __html: linkCodes(markdown.parse(text, { async: false })) }} />
)

const linkCodes = (html: string) =>
  html.replace(/<code>(4\d{4})<\/code>/g, '<a href="/docs/errors#$1"><code>$1</code></a>')

const variantsOf = ({ anyOf = [], oneOf = [] }: Property) =>
  [...anyOf, ...oneOf].filter(({ type }) => type !== 'null')

/** By what it requires, which is what tells it from the others. */
function titleOf({ required = [], properties = {} }: Property): string {
  const constants = Object.entries(properties).flatMap(([name, { const: value }]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  )
  return `With ${(constants.length > 0 ? constants : required).join(' and ')}`
}

/** What has the fields of an object, of the items of an array, or of the values of a map. */
function fieldsIn(property: Property): Property | undefined {
  const { properties, items, additionalProperties } = property
  if (properties) return Object.keys(properties).length > 0 ? property : undefined
  if (items) return fieldsIn(items)
  if (typeof additionalProperties === 'object') return fieldsIn(additionalProperties)
  const variants = variantsOf(property).filter(fieldsIn)
  return variants.length > 1 ? { anyOf: variants } : variants[0] && fieldsIn(variants[0])
}

function typeOf(property: Property): string {
  const variants = variantsOf(property)
  const { nullable, type = 'any', items, enum: values, format } = present(property)
  const names =
    variants.length > 1
      ? [...new Set(variants.map(typeOf))]
      : values
        ? values.map(value => JSON.stringify(value))
        : property.const !== undefined
          ? [JSON.stringify(property.const)]
          : [
              type === 'array'
                ? `array of ${items ? typeOf(items) : 'any'}`
                : (format?.replace('idn-', '') ?? type),
            ]
  return [...names, ...(nullable ? ['null'] : [])].join(' or ')
}
