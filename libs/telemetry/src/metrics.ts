/** The metrics of this process, in Prometheus' text format. */
import { Registry } from 'prom-client'

export const registry = new Registry()
