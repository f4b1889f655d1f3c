/** There is no capacity to evaluate a schema right now. The input itself is fine: answer 503. */
export class InputSchemaBusy extends Error {
  override name = 'InputSchemaBusy'

  constructor(why: string) {
    super(`the evaluation of input schemas: ${why}`)
  }
}
