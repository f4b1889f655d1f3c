/** Rules that class-validator does not bring along. */
import { isObject, registerDecorator, ValidateIf } from 'class-validator'

/** May be left out. Unlike `IsOptional` it lets no null through. */
export const MayBeAbsent = () => ValidateIf((_body, value) => value !== undefined)

export const AbsentWith = (other: string) => (target: object, propertyName: string) =>
  registerDecorator({
    name: 'absentWith',
    target: target.constructor,
    propertyName,
    validator: {
      validate: (_value, context) => !context || Reflect.get(context.object, other) === undefined,
      defaultMessage: () => `${propertyName} is not accepted beside ${other}`,
    },
  })

/** A map of `{ value, locked }`. */
export const IsFieldValues = () => (target: object, propertyName: string) =>
  registerDecorator({
    name: 'isFieldValues',
    target: target.constructor,
    propertyName,
    validator: {
      validate: value => isObject(value) && !Array.isArray(value) && Object.values(value).every(isFieldValue),
      defaultMessage: () => `each entry of ${propertyName} must have value and locked, and nothing else`,
    },
  })

const isFieldValue = (entry: unknown) =>
  isObject<{ value?: unknown; locked?: unknown }>(entry) &&
  Object.keys(entry).length === 2 &&
  entry.value !== undefined &&
  typeof entry.locked === 'boolean'
