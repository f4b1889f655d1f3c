// A replica that receives an event, reports it, and is killed before it has handled it.
import { connectBus } from '@svc/bus/connection'
import { consume } from '@svc/bus/events/consume'

const log = { info() {}, warn() {}, error() {} }
const { NATS_URL, NATS_PASSWORD } = process.env
const bus = await connectBus({ NATS_URL, NATS_USER: 'notes', NATS_PASSWORD }, log)
consume(bus, 'notes', {
  handlers: {
    'offers.created': async ({ aggregate_id }) => {
      console.log(aggregate_id)
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => {})
    },
  },
  deps: () => undefined,
  config: { EVENTS_MAX_AGE_DAYS: 7, EVENTS_MAX_BYTES: 2 ** 30, EVENTS_REPLICAS: 1 },
  log,
  ackSeconds: 1,
})
