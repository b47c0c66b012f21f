import { chatSuite } from './chat-suite.ts'
import { openSlack } from './slack-driver.ts'
import { contractSuite } from './suite.ts'

contractSuite('Slack over Socket Mode', openSlack('socket'))
chatSuite('Slack over Socket Mode', openSlack('socket'))
