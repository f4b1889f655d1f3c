/** Answers every request over NATS with the same bytes. */
import { encodeHeaders } from '@svc/bus/headers'
import { serveParent } from '../child.ts'
import { type BusMessage, connectWith, subject } from './bus-message.ts'

let answer: BusMessage | undefined
let data: Buffer | undefined

serveParent({
  async listen(url: string) {
    const { nc } = await connectWith(url)
    nc.subscribe(subject, {
      callback: (_, msg) => void (answer && msg.respond(data, { headers: encodeHeaders(answer.headers) })),
    })
    await nc.flush()
  },
  answer(wanted: BusMessage) {
    answer = wanted
    data = Buffer.from(wanted.body)
  },
})
