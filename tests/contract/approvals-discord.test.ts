import { approvalsSuite } from './approvals-suite.ts'
import { openDiscord } from './discord-driver.ts'

approvalsSuite('Discord', openDiscord)
