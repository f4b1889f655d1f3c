import { examplesOf } from '@svc/contract/openapi/all-examples'
import type { Example } from '@svc/contract/openapi/example'
import { type Property, schemaOf } from '@svc/contract/openapi/json-schema'
import type { NamedOperation } from '@svc/contract/services'
import type { z } from 'zod'
import { drawCode } from '../render-guide.ts'
import { drawAnswer, drawWays } from '../ways.ts'
import { clientLine, curlLine, pathOf, svcLine } from './example-lines.ts'
import { Field, Fields, Markdown } from './fields.tsx'

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly schema: Property
}

/** What the OpenAPI document says of it, with references resolved. */
export interface Described {
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, { readonly description: string; readonly isShared: boolean }>>
}

interface OperationProps {
  readonly named: NamedOperation
  readonly described: Described
}

/** An operation beside its examples. */
export function OperationArticle({ named, described }: OperationProps) {
  const { operation } = named
  const { http, body, output } = operation
  const { description, parameters, responses } = described
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return (
    <article class="guide operation">
      <div>
        <h1>{operation.summary}</h1>
        <p>
          <code>
            <strong>{http?.method}</strong> {pathOf(operation)}
          </code>
        </p>
        <Markdown text={description} />
        {parameters.length > 0 && (
          <>
            <h2 id="parameters">Parameters</h2>
            <ul class="fields">
              {parameters.map(({ name, in: where, required, schema, description }) => (
                <Field
                  key={name}
                  name={name}
                  property={{ ...schema, description: `In the ${where}. ${description}` }}
                  required={required}
                  sent
                />
              ))}
            </ul>
          </>
        )}
        <Body title="Body" id="body" of={body} sent />
        <Body title={`Answer ${http?.status}`} id="answer" of={output} />
        <h2 id="errors">Errors</h2>
        <Refusals of={refusals.filter(([, { isShared }]) => !isShared)} />
        <details>
          <summary>Errors of all operations</summary>
          <Refusals of={refusals.filter(([, { isShared }]) => isShared)} />
        </details>
      </div>
      <div class="examples">
        <h2 id="examples">Examples</h2>
        {examplesOf(named)
          .filter(({ aside }) => !aside)
          .map((example, index) => (
            <details key={example.name} open={index === 0}>
              <summary>{example.summary}</summary>
              <Sent named={named} example={example} ordinal={index} />
            </details>
          ))}
      </div>
    </article>
  )
}

interface BodyProps {
  readonly title: string
  readonly id: string
  readonly of: z.ZodType | undefined
  readonly sent?: boolean
}

function Body({ title, id, of, sent = false }: BodyProps) {
  if (!of) return null
  return (
    <>
      <h2 id={id}>{title}</h2>
      <Fields schema={schemaOf(of, sent ? 'input' : 'output')} sent={sent} />
    </>
  )
}

const Refusals = ({
  of,
}: {
  readonly of: readonly (readonly [string, { readonly description: string }])[]
}) => of.map(([status, { description }]) => <Markdown key={status} text={`**${status}** ${description}`} />)

interface SentProps {
  readonly named: NamedOperation
  readonly example: Example
  readonly ordinal: number
}

function Sent({ named, example, ordinal }: SentProps) {
  const isRefused = example.answer.status >= 400
  const lines = {
    sh: curlLine(example),
    ts: clientLine(example),
    ...(!isRefused && ordinal === 0 && { svc: svcLine(named, example) }),
  }
  const blocks = Object.entries(lines).flatMap(([lang, text]) => (text ? [codeOf(lang, text)] : []))
  const { status, body } = example.answer
  const text = body === undefined ? '' : JSON.stringify(body, null, 2)
  const html =
    drawWays({ type: 'ways', raw: '', ordinal, blocks }, drawCode) +
    drawAnswer({ block: codeOf('json', text) }, text ? drawCode : () => '', `Answer ${status}`)
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build, with its texts escaped
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}

const codeOf = (lang: string, text: string) => ({ type: 'code' as const, raw: '', lang, text })
