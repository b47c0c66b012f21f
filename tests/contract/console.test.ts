import { openConsole } from './console-driver.ts'
import { contractSuite } from './suite.ts'

contractSuite('the console', openConsole)
