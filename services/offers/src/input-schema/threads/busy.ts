export class InputSchemaBusy extends Error {
  override name = 'InputSchemaBusy'

  constructor(why: string) {
    super(`the evaluation of input schemas: ${why}`)
  }
}
