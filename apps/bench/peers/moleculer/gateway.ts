/** The gateway's node: HTTP and the look-up of credentials. */
import { sayReady } from '../shared/environment.ts'
import { createBroker } from './broker.ts'
import { api } from './services/api.ts'
import { auth } from './services/auth.ts'

const broker = createBroker('gateway')
broker.createService(auth)
broker.createService(api)
await broker.start()
await broker.waitForServices(['offers', 'api_tokens', 'installs', 'clusters'])
sayReady()
