import { _, type Ajv2020, type Code, type KeywordCxt, Name, nil } from 'ajv/dist/2020.js'
import { mergeEvaluated } from 'ajv/dist/compile/util.js'
import { callValidateCode } from 'ajv/dist/vocabularies/code.js'
import type { Definition } from './definition.ts'

// ajv's names for the variables in which a generated function collects errors.
const vErrors = new Name('vErrors')
const errors = new Name('errors')

export function useDefinitions(ajv: Ajv2020, definitions: Map<string, Definition>): void {
  ajv.removeKeyword('$ref')
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    before: '$dynamicAnchor',
    code: cxt => {
      const definition = cxt.gen.scopeValue('obj', { ref: definitions.get(cxt.schema) })
      cxt.result(
        callValidateCode(cxt, _`${definition}.evaluate`, nil),
        () => addEvaluated(cxt, definition),
        () => addErrors(cxt, definition),
      )
    },
  })
}

// Appends in place: ajv's concatenation takes quadratic time when many items are wrong.
function addErrors({ gen }: KeywordCxt, definition: Code): void {
  gen.if(
    _`${vErrors} === null`,
    () => gen.assign(vErrors, _`${definition}.errors`),
    () => gen.code(_`${vErrors}.push(...${definition}.errors)`),
  )
  gen.assign(errors, _`${vErrors}.length`)
}

function addEvaluated({ gen, it }: KeywordCxt, definition: Code): void {
  if (!it.opts.unevaluated) return
  if (it.props !== true) {
    const props = gen.var('props', _`${definition}.props`)
    it.props = mergeEvaluated.props(gen, props, it.props, Name)
  }
  if (it.items !== true) {
    const items = gen.var('items', _`${definition}.items`)
    it.items = mergeEvaluated.items(gen, items, it.items, Name)
  }
}
