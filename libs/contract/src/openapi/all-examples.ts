/**
 * The examples of all operations in order: Acme sells Analytics, Globex buys it. Later examples use what earlier
 * ones create, so each can be sent to the product as it stands.
 */
import { type NamedOperation, operations } from '../services.ts'
import { type Example, exampleOf } from './example.ts'
import { referenceOf } from './reference.ts'

export const allExamples: readonly Example[] = operations
  .flatMap(named => {
    const { service, name, operation } = named
    const { http } = operation
    return http
      ? referenceOf(named).examples.map(one =>
          exampleOf({ service, operation: name, definition: operation }, http.status, one),
        )
      : []
  })
  .sort((a, b) => a.step - b.step)

export const examplesOf = ({ service, name }: Pick<NamedOperation, 'service' | 'name'>): Example[] =>
  allExamples.filter(one => one.service === service && one.operation === name)
