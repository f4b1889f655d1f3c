/** The documentation for programs, in the format of https://llmstxt.org: an index, and everything in one file. */
import type { Guide } from './render-guide.ts'

const opening = (publicUrl: string) => `# svc

> An HTTP and JSON API to sell software by offers: a seller publishes an offer and sends its link, a customer orders, the seller approves, the payment is taken, and the install starts. Teams manage API tokens and members; operators change the compute settings of clusters.

The API is at ${publicUrl}/v1. Use it over HTTP, with the command line \`svc\` (every command has \`--json\`), or with the TypeScript client \`@svc/client\`.
`

export const indexOf = (guides: readonly Guide[], publicUrl: string) => `${opening(publicUrl)}
- To sell something, begin with [Quickstart](${publicUrl}/docs/quickstart.md), then [Selling](${publicUrl}/docs/selling.md).
- To do it from a shell or as an agent, use the [command line](${publicUrl}/docs/cli.md) with \`svc login\`, \`svc offers create\`, \`svc orders approve\`.
- Every guide in one file: [llms-full.txt](${publicUrl}/llms-full.txt).

## Docs

${guides.map(({ name, title, summary }) => `- [${title}](${publicUrl}/docs/${name}.md): ${summary}\n`).join('')}
## Reference

- [OpenAPI document](${publicUrl}/v1/openapi.json): every operation, with schemas, examples and errors
`

export const wholeOf = (guides: readonly Guide[], publicUrl: string) =>
  `${opening(publicUrl)}
Every operation with its schemas is in the OpenAPI document: ${publicUrl}/v1/openapi.json

${guides.map(guide => movedOut(guide, publicUrl)).join('\n\n---\n\n')}
`

const movedOut = ({ name, markdown }: Guide, publicUrl: string) =>
  markdown.trim().replaceAll('](/', `](${publicUrl}/`).replaceAll('](#', `](${publicUrl}/docs/${name}#`)
