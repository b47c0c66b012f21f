import { approvalsSuite } from './approvals-suite.ts'
import { openConsole } from './console-driver.ts'

approvalsSuite('the console', openConsole)
