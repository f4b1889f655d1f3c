import { startCopying } from '../../kit/browser/copy.ts'
import { filterChoices } from './filter-choices.ts'
import { followForms } from './follow-forms.ts'
import { followWork } from './follow-work.ts'
import { typeLocalMoments } from './local-moments.ts'
import { checkAmounts } from './money-bounds.ts'
import { closeMenus } from './menus.ts'
import { forgetNotice } from './notices.ts'
import { openSearch } from './open-search.ts'
import { sendOnce } from './send-once.ts'
import { showLocalTimes } from '../../kit/browser/times.ts'

showLocalTimes()
startCopying()
// The command lines show what the form sends.
typeLocalMoments()
followForms()
closeMenus()
openSearch()
sendOnce()
checkAmounts()
filterChoices()
forgetNotice()
followWork()
