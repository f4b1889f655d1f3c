/** The script of the customer's pages. They work without. */
import { showLocalTimes } from './times.ts'

showLocalTimes()
