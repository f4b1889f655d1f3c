/** No capacity to evaluate a schema right now: answer 503; the input itself is fine. */
export class InputSchemaBusy extends Error {
  override name = 'InputSchemaBusy'

  constructor(why: string) {
    super(`the evaluation of input schemas: ${why}`)
  }
}
