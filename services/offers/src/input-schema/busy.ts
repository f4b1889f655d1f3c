/** There is no room to evaluate a schema now: answer 503, nothing is wrong with what was sent. */
export class InputSchemaBusy extends Error {
  override name = 'InputSchemaBusy'

  constructor(why: string) {
    super(`the evaluation of input schemas ${why}`)
  }
}
