import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldErrorProps,
  FieldTemplateProps,
  IconButtonProps,
  MultiSchemaFieldTemplateProps,
  ObjectFieldTemplateProps,
  TemplatesType,
} from '@rjsf/utils'
import type { VNode } from 'preact'
import { labelText } from '../../kit/offers/readable-name.ts'
import { TextInput } from './text-input.tsx'

function Field(props: FieldTemplateProps) {
  const { id, hidden, displayLabel, required, rawDescription, errors, rawErrors, children, schema } = props
  const label = labelText(schema, props.label)
  // A constant leaves nothing to decide.
  if (hidden || schema.const !== undefined) return <div hidden>{children}</div>
  const isChoice =
    (schema.oneOf ?? schema.anyOf) !== undefined && !props.registry.schemaUtils.isSelect(schema)
  const labelled = displayLabel && !isChoice && label
  const frame = isChoice ? 'fields' : rawErrors?.length ? 'field wrong' : 'field'
  const hint = labelled && rawDescription && (
    <p className="hint long" id={`${id}__description`}>
      {rawDescription}
    </p>
  )
  // Boxes to tick: the label is for none of them.
  if (labelled && schema.type === 'array') {
    return (
      <fieldset className={`${frame} plain`} id={id}>
        <legend className="long">
          {label}
          {optional(required)}
        </legend>
        {hint}
        {errors}
        {children}
      </fieldset>
    )
  }
  return (
    <div className={frame}>
      {labelled && (
        <label htmlFor={id} className="long">
          {label}
          {optional(required)}
        </label>
      )}
      {errors}
      {children}
      {hint}
    </div>
  )
}

const optional = (required: boolean | undefined) => !required && <span className="optional"> (optional)</span>

function FieldErrors({ errors = [], fieldPathId }: FieldErrorProps) {
  if (errors.length === 0) return null
  return (
    <p className="problem long" id={`${fieldPathId.$id}__error`}>
      {errors.map(String).join('. ')}
    </p>
  )
}

function ObjectField({
  title,
  description,
  properties,
  fieldPathId,
  schema,
  required,
}: ObjectFieldTemplateProps) {
  const fields = properties.map(({ content }) => content)
  const name = fieldPathId.path.at(-1)
  if (name === undefined) return <div className="fields">{fields}</div>
  if (fields.length === 0 && (schema.oneOf ?? schema.anyOf)) return null
  return (
    <fieldset id={fieldPathId.$id}>
      <legend className="long">
        {labelText(schema, title || String(name))}
        {typeof name === 'string' && optional(required)}
      </legend>
      {description && <p className="hint long">{description}</p>}
      {fields}
    </fieldset>
  )
}

function ArrayField(props: ArrayFieldTemplateProps) {
  const { schema, fieldPathId, items, canAdd, onAddClick, registry, required } = props
  const title = labelText(schema, props.title)
  const { AddButton } = registry.templates.ButtonTemplates
  return (
    <fieldset id={fieldPathId.$id}>
      <legend className="long">
        {title}
        {optional(required)}
      </legend>
      {schema.description && <p className="hint long">{schema.description}</p>}
      {items}
      {canAdd && (
        <AddButton
          id={`${fieldPathId.$id}__add`}
          onClick={onAddClick}
          registry={registry}
          title={title}
          uiSchema={props.uiSchema}
        />
      )}
    </fieldset>
  )
}

function ArrayItem({ children, hasToolbar, buttonsProps, index, registry }: ArrayFieldItemTemplateProps) {
  const { ArrayFieldItemButtonsTemplate: Buttons } = registry.templates
  return (
    <fieldset className="plain item" aria-label={`Item ${index + 1}`}>
      {children}
      {hasToolbar && (
        <div className="tools">
          <Buttons {...buttonsProps} />
        </div>
      )}
    </fieldset>
  )
}

const button = (text: string) =>
  function TextButton({ id, onClick, disabled, title }: IconButtonProps) {
    return (
      <button type="button" className="quiet" id={id} disabled={disabled} onClick={onClick}>
        {text}
        {title && <span className="unseen"> to {title}</span>}
      </button>
    )
  }

function Choice({ selector, optionSchemaField, schema }: MultiSchemaFieldTemplateProps) {
  const { id, label } = (selector as VNode<{ id: string; label: string }>).props
  return (
    <>
      <div className="field">
        <label htmlFor={id} className="long">
          {labelText(schema, label)}
        </label>
        {selector}
      </div>
      {optionSchemaField}
    </>
  )
}

export const templates: Partial<Omit<TemplatesType, 'ButtonTemplates'>> & {
  ButtonTemplates: Partial<TemplatesType['ButtonTemplates']>
} = {
  FieldTemplate: Field,
  FieldErrorTemplate: FieldErrors,
  ObjectFieldTemplate: ObjectField,
  ArrayFieldTemplate: ArrayField,
  ArrayFieldItemTemplate: ArrayItem,
  MultiSchemaFieldTemplate: Choice,
  BaseInputTemplate: TextInput,
  ButtonTemplates: {
    AddButton: button('Add'),
    RemoveButton: button('Remove'),
    MoveUpButton: button('Move up'),
    MoveDownButton: button('Move down'),
  },
}
