/** The script of the console. All of it can be missed: each page works without. */
import { startCopying } from './copy.ts'
import { followForms } from './follow-forms.ts'
import { checkAmounts } from './money-bounds.ts'
import { closeMenus } from './menus.ts'
import { sendOnce } from './send-once.ts'
import { showLocalTimes } from './times.ts'

showLocalTimes()
startCopying()
followForms()
closeMenus()
sendOnce()
checkAmounts()
