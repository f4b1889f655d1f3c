import type { ExampleAnswer, ExampleRequest, Sender } from './example-parts.ts'
import type { Reference } from './operation-reference.ts'

/** The lines and the example of an operation that has them itself. */
export interface OwnReference extends Reference {
  /** Its success. It is sent after those of the story, before its people leave. */
  readonly example: {
    readonly summary: string
    readonly by: Sender
    readonly request: ExampleRequest
    readonly answer: Omit<ExampleAnswer, 'status'>
  }
}
